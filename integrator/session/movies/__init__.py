"""Owns the movies of a session: the one that is recorded, and the one that is played."""
