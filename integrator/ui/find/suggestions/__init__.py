"""Owns the Suggestions panel: likely variables, told from recorded play without a number typed."""
