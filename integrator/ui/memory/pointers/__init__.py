"""Owns the dialog that finds the pointers to a number."""
