"""Owns the controllers of a player: gamepads, key bindings, and the pad on the screen."""
