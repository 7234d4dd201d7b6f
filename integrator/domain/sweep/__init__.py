"""Owns the search kernel: one comparison swept over all memory, for every type and scale."""
