"""What agents are taught: folders of Markdown, the same texts wherever they are read.

lantern/        how to make pages; its references are the guides of ``describe``
guide           the texts by name
"""

from __future__ import annotations

from lantern_kit.skills.guide import ORDER, guides, title

__all__ = ["ORDER", "guides", "title"]
