"""Owns the parts that use the whole window: the tour and the Help menu."""
