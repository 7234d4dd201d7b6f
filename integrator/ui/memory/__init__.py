"""Owns the panels of memory: bytes, variables, watches and cheats."""
