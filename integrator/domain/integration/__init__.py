"""Owns the integration directory: its documents, scripts, states, cheats, watches and name."""
