"""Owns the facts that people state, and the recording of which they are asked."""
