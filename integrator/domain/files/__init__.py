"""Owns files: lossless JSON, documents with undo, safe reading and writing, hashes."""
