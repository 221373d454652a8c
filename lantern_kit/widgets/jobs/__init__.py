"""Long actions in a notebook, shown while they last.

job    a call on a thread of its own       view   its live form      call   what is called: arguments, names, errors
progress_line   the line under a cell that works      cell   whether a notebook runs this, and one of its cells
"""
