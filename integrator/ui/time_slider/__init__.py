"""Owns the time slider: the frozen facts that it draws, its painting, and facts pinned to it."""
