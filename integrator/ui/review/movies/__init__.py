"""Owns the Movies panel: a folder of movies, which are played, scored and compared."""
