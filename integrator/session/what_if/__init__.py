"""Owns what-if: the recorded timeline scored by two sets of rules, and where they differ."""
