"""Owns the mining of done conditions: tests that hold where an episode ends, and never before."""
