"""Owns the input log: recorded buttons as a piano roll, with edits and marks."""
