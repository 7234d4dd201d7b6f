"""Owns the rule by which a core's picture becomes an agent's observation."""
