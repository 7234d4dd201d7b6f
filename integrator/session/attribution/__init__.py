"""Owns the origin of rewards: the part of each term, on each frame."""
