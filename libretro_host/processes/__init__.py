"""Owns the child process of a core: its start, deadlines and log, and the messages both ways."""
