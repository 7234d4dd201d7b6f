"""Owns the Movies panel: a folder of movies, played, scored and compared."""
