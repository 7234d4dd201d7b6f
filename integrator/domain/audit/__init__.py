"""Owns the traps of an integration that agents fall into, found in recorded play."""
