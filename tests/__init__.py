"""A package, so that none of the same name that comes with somebody else's program is taken for it."""
