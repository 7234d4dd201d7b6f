"""Owns the What-if panel: the effect of an edit of the scenario on everything recorded."""
