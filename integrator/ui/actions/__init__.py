"""Owns the commands of the window: text, icon, shortcut and tooltip of each, and its QAction."""
