"""Owns the docks: one for each panel, their arrangement in workspaces, and the Tab order."""
