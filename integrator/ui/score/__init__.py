"""The Score workspace: reward, done, actions, crop, scripts, JSON, lint and what-if."""
