"""Owns parts of several subcommands: arguments, text output, and work in many processes."""
