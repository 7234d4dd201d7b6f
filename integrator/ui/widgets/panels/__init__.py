"""Owns the parts that every panel is made of: dock and header, labels, tables, empty places."""
