"""Owns the Ends panel: marked and proposed ends of episodes, and the done conditions they tell."""
