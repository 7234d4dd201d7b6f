"""Owns the Agents panel: agents that play the open game in other processes, and their episodes."""
