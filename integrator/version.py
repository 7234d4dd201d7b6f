"""The program's version, below every package that names it."""

__version__ = "0.1.0"
