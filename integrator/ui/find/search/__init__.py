"""Owns the Find panel: comparisons, the steps made, and the candidates that are left."""
