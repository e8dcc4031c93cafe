"""Versions of items, and the labels that point to them."""
