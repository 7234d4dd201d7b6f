"""Owns readings of memory and how they behave: what is plausible, and what comes first."""
