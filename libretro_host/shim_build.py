"""Builds the cffi extension around shim.c."""
