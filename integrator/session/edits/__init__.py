"""Owns edits of a session's documents: commands, undo over all files, and snapshots."""
