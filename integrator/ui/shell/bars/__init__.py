"""Owns the bars around the panels: menus, top bar, status line, command palette."""
