"""Owns the States panel: start states with their pictures, and slots."""
