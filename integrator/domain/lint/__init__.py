"""Owns lint: the checks of an integration that need no core, one module for each part of it."""
