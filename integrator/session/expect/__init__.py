"""Owns tests from movies: expected numbers measured on recorded play, and compared."""
