"""Owns consoles as data: their descriptors, and the cores and BIOS files found for them."""
