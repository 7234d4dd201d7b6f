"""Owns the Review workspace: branches, movies, the input log, and moving along the timeline."""
