"""Owns files as text: lossless JSON, documents that are edited with undo, safe writes, hashes."""
