"""Owns work in hidden cores: clips, pictures of states, movies to be asked."""
