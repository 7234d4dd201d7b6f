"""Playing: screen, transport, sound, pads and keys, start states, clips."""
