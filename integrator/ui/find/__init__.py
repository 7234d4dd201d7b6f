"""Owns the Find workspace: naming candidates and matches, and proofs of them."""
