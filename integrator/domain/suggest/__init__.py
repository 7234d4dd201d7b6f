"""Owns suggestions: the likely meaning of addresses, read from recorded play alone."""
