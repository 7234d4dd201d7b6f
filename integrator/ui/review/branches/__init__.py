"""Owns the Branches panel: lines of play, their pictures, and two of them compared."""
