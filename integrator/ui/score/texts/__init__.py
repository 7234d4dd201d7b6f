"""Owns the integration as text: the JSON, Script and Lint panels."""
