"""Owns what several subcommands use: arguments, consoles, work in many processes, games."""
