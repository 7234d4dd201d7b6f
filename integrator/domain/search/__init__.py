"""Owns RAM searches: their steps and undo, the rows that are left, and searches as files."""
