"""Owns the Console panel: entries in Lua or Python, and their answers."""
