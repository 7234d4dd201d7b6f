"""Owns the user's preferences: the settings file, preferences of playing, and their dialog."""
