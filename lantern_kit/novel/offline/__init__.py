"""The offline author: a stand-in that writes a short novel end to end, with no model and no network.

tale tale_en.txt tale_zh.txt  what it tells    cast   with whose names    script  in which scenes
planning pages author         its outlines, its prose, and how it goes about its work
asked                         what it makes of instructions
"""

from lantern_kit.novel.offline.author import NAME, OfflineAuthor

__all__ = ["NAME", "OfflineAuthor"]
