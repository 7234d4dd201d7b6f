"""Owns agents that play an integration, and their episodes."""
