"""The dialog of the user's own consoles: drafted from a core, edited, tried, saved, exported."""
