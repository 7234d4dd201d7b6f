"""Owns the time slider: its facts about the timeline, its painting, and facts pinned to frames."""
