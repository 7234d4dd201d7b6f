"""Owns the Agents workspace's panel: agents play the open game beside it; their episodes."""
