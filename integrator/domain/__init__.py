"""The meaning of an integration, without Qt, processes or a core."""
