"""Owns the child process of a core: its start, deadlines and log, and messages to and from it."""
