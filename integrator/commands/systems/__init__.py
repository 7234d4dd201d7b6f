"""Owns ``integrator systems``: proofs of the consoles, and consoles of one's own."""
