"""Owns the players' controls: gamepads, key bindings, and the pad on the screen."""
