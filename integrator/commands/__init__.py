"""What each subcommand does, on the public Python API; no Qt, no argument parsing."""
