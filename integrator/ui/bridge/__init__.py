"""Connects the runner's thread to the window: frames, results, commands, gaps between frames."""
