"""Owns moving along the timeline of a running session: seeking, branches, ranges as movies."""
