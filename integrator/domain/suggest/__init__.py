"""Owns suggestions: the likely meaning of addresses, told from recorded play alone."""
