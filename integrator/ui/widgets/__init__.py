"""Owns building blocks that know no game: theme, icons, labels, tables, notices, texts."""
