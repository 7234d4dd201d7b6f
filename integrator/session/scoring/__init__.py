"""Owns scoring what is recorded: by the documents of today, and by others to compare with."""
