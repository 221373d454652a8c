"""Files that leave the kit, one module a format, each imported when it is used.

cbz         a comic book archive with ComicInfo 2.0
comicinfo   the metadata sheet inside it
report      what was written, and what the format could not hold
file        whole files or none: written beside, synced, then put in place
"""
