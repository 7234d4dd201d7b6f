"""Owns work in hidden cores: clips, pictures of states, and questions about movies."""
