"""Owns what the user prefers: the settings file, preferences of playing, and their dialog."""
