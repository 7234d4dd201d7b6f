"""Owns the Review workspace: branches, movies, the input log, and travel along the timeline."""
