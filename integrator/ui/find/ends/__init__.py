"""Owns the Ends panel: marked and proposed ends of episodes, and done conditions that fit them."""
