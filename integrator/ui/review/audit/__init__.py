"""Owns the Audit panel: traps that agents fall into, found in movies and probes."""
