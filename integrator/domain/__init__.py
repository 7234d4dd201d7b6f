"""Owns the rules of integrations, without Qt, processes or a core."""
