"""Lantern Kit: comics that people make together with AI agents, kept whole and queryable."""
