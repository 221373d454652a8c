"""The kit inside a notebook: ``%load_ext lantern_kit``.

extension   what the magic word sets up and takes down
desk        which workspace is meant in this notebook
command     ``%lantern``: the command line, run in the notebook's own process      question   ``%%lantern_sql``
completion/  what a Tab offers in them
shown       which live widget stands for which of the objects that people hold
"""

from lantern_kit.notebook.extension import load, unload

__all__ = ["load", "unload"]
