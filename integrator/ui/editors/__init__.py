"""Owns the code editor and the languages that it knows: colours, completion, marked errors."""
