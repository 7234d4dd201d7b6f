"""Owns values in memory: data types, the address space, and the variables read from it."""
