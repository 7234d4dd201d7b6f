"""Owns the files of the open game: dialogs, opening, changes by other programs, recovery."""
