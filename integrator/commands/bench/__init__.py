"""Owns ``integrator bench``: its rounds, each contender, and the RAM search, in own processes."""
