"""Owns the list of found numbers that search, facts, suggestions and ends share."""
