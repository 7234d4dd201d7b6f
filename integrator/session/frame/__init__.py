"""Owns the path of a frame: inputs, one run of the core, memory, scores, the result."""
