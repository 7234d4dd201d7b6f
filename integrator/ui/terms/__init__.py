"""Owns words for the parts of an integration: types, scales, operators, proofs."""
