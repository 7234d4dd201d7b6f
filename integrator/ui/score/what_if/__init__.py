"""Owns the What-if panel: what an edit of the scenario makes of everything recorded."""
