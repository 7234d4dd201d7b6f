"""Owns pictures and sound as files: videos, the stream of a viewer, GIFs and stills."""
