"""Owns agents that need no training, and the episodes that they play."""
