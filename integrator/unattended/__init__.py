"""Integrations without a person: reach play, play, find, decide, attack, write."""

from typing import Final

MINUTES: Final = 12.0  # Minutes of emulated play for a game, without the experiments in between.
