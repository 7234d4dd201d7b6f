"""Owns the window: docks and workspaces around the screen, and the wiring of every panel."""
