"""Owns the input log: recorded buttons as a piano roll, its edits, and its marks."""
