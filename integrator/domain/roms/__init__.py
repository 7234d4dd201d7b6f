"""Owns ROM files: their headers, byte order and title, and the known game that they match."""
