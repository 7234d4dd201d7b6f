"""Owns what plays the game: gamepads, key bindings, and the pad on the screen."""
