"""Owns the integration as text: the JSON, Script and Lint panels, and their editor."""
