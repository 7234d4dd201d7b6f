"""Owns the parts that know the whole window: the tour, the Help menu, pictures of the window."""
