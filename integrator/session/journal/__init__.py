"""Owns what outlives a sudden death: the journal of play, and drafts of unsaved edits."""
