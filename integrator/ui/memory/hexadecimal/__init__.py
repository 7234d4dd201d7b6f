"""Owns the grid of bytes: where each stands, how rows are painted, keys and pokes."""
