"""Owns suggestions of variables, found in recorded play without a number from the user."""
