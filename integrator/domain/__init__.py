"""What an integration means: types, memory, variables, scenario, search, timeline, movies. Pure."""
