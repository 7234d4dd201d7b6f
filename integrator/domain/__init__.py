"""The meaning of an integration: types, memory, variables, scenario, search, timeline, movies.

Pure.
"""
