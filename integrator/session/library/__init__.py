"""Owns the user's collection: games, imports of ROMs, checks, states, and consoles."""
