"""Owns ``integrator dataset``: movies as training data, in Minari's format or as npz files."""
