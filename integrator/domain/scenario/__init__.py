"""Owns scenarios: their parsed tree, scores, actions, and Lua hooks in a sandbox."""
