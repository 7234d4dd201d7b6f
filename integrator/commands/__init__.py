"""Owns the work of each subcommand, on the public Python API; no Qt, no argument parsing."""
