"""Owns queries of recorded play: from facts to the variables that fit them, best first."""
