"""The window, and the only package that imports Qt."""
