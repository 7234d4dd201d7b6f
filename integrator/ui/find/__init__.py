"""The Find workspace: search, facts, proof, and naming what was found."""
