"""Memory, variables, watches and cheats."""
