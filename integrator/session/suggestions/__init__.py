"""Owns questions that recorded play answers without a number typed: suggestions of variables."""
