"""Owns the library of integrations, the wizard for new ones, and the import of ROMs."""
