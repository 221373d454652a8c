"""Layout of frames: the edges they share, what those snap to, page templates, and frames flowed anew. Pure geometry.

sides, edges      straight sides of frames, and which of them face each other over a gutter
snap              what edges snap to
moving, keeping   a shared edge moved with all that share it; frames that keep their size or ratio
"""
