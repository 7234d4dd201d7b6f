"""Owns agents that try an integration, and the episodes that they play."""
