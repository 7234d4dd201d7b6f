"""Owns what knows the whole window: the tour, the Help menu, and pictures of the window."""
