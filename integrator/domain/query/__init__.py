"""Owns questions to recorded play: facts in, the variables that fit them out, best first."""
