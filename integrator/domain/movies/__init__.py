"""Owns movie files: reads .bk2 and .fm2 within limits, and writes .bk2 for stable-retro."""
