"""Owns the consoles that work here: proofs, drafts, trials and exports of a descriptor."""
