"""Owns what-if: the recorded timeline scored by two sets of rules, and their differences."""
