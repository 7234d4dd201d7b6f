"""Owns the book: its chapters, and the pages that are made from the program's own tables."""
