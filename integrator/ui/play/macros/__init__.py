"""Owns input macros: buttons of some frames with a name, recorded, edited as text, and played."""
