"""Owns the timeline: inputs, RAM, states and outcomes of all play, with its branches."""
