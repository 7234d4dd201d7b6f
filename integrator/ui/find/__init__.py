"""Owns the Find workspace: naming what was found, and proofs of it."""
