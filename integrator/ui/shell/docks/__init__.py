"""Owns docks: one a panel, their arrangement in workspaces, and the order of the Tab key."""
