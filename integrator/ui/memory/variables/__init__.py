"""Owns the Variables panel."""
