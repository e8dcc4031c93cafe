"""Prompts from dynamic sources, and completion of arguments."""
