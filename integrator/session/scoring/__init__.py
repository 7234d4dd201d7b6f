"""Owns the scoring of recorded play: by the present documents, and by others to compare with."""
