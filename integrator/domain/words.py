"""Marks the words of a table for those who translate the window."""


def tr(text: str) -> str:
    """Mark a text of one of the window's tables, and return it unchanged."""
    return text
