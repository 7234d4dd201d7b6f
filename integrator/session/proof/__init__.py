"""Owns proofs: a candidate poked in a hidden core, and the verdict on it."""
