"""Owns what stands around the panels: menus, top bar, status line, command palette."""
