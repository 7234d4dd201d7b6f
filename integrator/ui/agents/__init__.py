"""Owns the Agents panel: agents play the open game in processes of their own; their episodes."""
