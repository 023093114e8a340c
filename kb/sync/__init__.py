"""Merges of what several copies of a knowledge base changed, without a database or a network."""
