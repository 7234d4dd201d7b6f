"""Owns parts that several subcommands use: arguments, consoles, work in many processes, games."""
