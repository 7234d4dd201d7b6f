"""Owns the help: its pages, the reference made from the program's tables, and bug reports."""
