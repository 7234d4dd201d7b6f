"""Owns the files of the open game: asked for, opened, changed by others, recovered."""
