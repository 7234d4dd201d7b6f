"""Owns checks of integrations: their files, a running game, and stable-retro as the judge."""
