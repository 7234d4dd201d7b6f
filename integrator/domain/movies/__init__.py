"""Owns movie files: .bk2 and .fm2 read within bounds, .bk2 written for stable-retro."""
