"""Owns the Plots panel: variables and reward over the timeline."""
