"""Integrations without a person: reach play, play, find, decide, attack, write."""
