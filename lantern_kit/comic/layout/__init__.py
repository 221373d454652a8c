"""Layout of frames: the edges they share, what those snap to, page templates, and frames flowed anew. Pure geometry.

sides, edges      straight sides of frames, and which of them face each other over a gutter
moving, keeping   a shared edge moved with all that share it; frames that keep their size or ratio
snap, overlap     what edges snap to; whether shapes lie on each other
joints, solving   lines that frames hang on, and where they go by weights, minimum sizes and locks
template          templates (templates.json) and how they fit a unit
tracing           a unit's layout as a template of its own
applying          a template laid on a unit's frames
carrying          what lies in frames, carried along
reflow, flowing   a page's frames laid out anew; frames that go on to the next page
"""
