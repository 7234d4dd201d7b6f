"""Owns the center of the window: the picture, its overlays, transport buttons and game keys."""
