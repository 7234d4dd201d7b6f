"""Owns the searches of a session by name, their rules, and the questions to recorded play."""
