"""Owns the Watch panel: watched addresses, and notes on memory in the formats of others."""
