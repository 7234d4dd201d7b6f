"""Owns the way from the runner's thread to the window: results, commands, gaps."""
