"""How an open game's documents, scripts and states are edited: the editor and its commands."""
