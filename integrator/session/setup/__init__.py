"""Owns the parts that a session is opened with: plan, ROM, core options, roots and start states."""
