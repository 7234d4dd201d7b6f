"""Owns the Play workspace: sound, clips, macros, pads, preferences and start states."""
