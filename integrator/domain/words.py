"""Marks the texts of tables for translation, and reads texts from files."""

from pathlib import Path


def tr(text: str) -> str:
    """Mark a text of a table that the window shows, and return it unchanged."""
    return text


def sections(file: Path) -> dict[str, str]:
    """Return the texts of a Markdown file by the headings of their sections, each on one line."""
    parts = (part.split("\n", 1) for part in file.read_text("utf-8").split("\n## ")[1:])
    return {heading: " ".join(text.split()) for heading, text in parts}


def named_sections(file: Path) -> dict[str, tuple[str, str]]:
    """Return name and text of each section by its key; a heading is ``key: name``, or a key."""
    parts = ((*heading.partition(": "), text) for heading, text in sections(file).items())
    return {key: (name, text) for key, _, name, text in parts}
