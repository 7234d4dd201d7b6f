"""Owns the Play workspace: sound, clips, pads and start states."""
