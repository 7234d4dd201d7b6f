"""Owns the files that outlive a sudden death: the journal of play, and drafts of unsaved edits."""
