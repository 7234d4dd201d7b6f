"""Owns the timeline: inputs, RAM, states and outcomes of everything played, and its branches."""
