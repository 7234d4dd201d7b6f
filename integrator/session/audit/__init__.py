"""Owns the audit of recorded play: movies and probes run through hidden cores, then judged."""
