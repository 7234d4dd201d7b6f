"""Owns the Score workspace: reward, done, actions and crop of a scenario."""
