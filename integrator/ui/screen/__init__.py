"""Owns the centre of the window: the picture, its overlays, transport bar and keyboard."""
