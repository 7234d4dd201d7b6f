"""Owns the files that survive a crash: the journal of play, and drafts of unsaved edits."""
