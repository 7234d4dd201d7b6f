"""Owns findings: each kind of fault in an integration, with its code, meaning and cure."""
