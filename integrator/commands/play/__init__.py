"""Owns ``integrator play``: movies replayed without a window, their tables, films and stills."""
