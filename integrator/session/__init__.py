"""Owns time: runs a core, reads its memory, scores the scenario, keeps the timeline. No Qt."""
