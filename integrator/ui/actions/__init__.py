"""Owns the commands of the window: the text, icon, shortcut, tooltip and QAction of each."""
