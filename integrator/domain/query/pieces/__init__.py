"""Owns numbers in pieces: found by facts, written as variables and a Lua script."""
