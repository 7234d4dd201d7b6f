"""Owns work in hidden cores beside the game: clips, pictures of states, movies to be asked."""
