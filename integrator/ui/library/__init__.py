"""The library of integrations, the wizard for new ones, the import of ROMs."""
