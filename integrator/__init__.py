"""Turns a console game into a reinforcement-learning environment: the public Python API."""

__version__ = "0.1.0"
