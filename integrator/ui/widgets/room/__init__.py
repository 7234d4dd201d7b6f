"""Owns the sharing of room: widgets that flow and fold, widths of columns, places of popups."""
