"""Owns checks, drafts, trials and exports of consoles' descriptors."""
