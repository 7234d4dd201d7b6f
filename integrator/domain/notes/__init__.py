"""Owns notes on memory: places by name, and the watch lists and symbols of other programs."""
