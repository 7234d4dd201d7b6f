"""Owns the Facts panel: facts pinned to recorded play, and the addresses that agree with all."""
