"""Lets the rooms below import the helpers that lie here."""
