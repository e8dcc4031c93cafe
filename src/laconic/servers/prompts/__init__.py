"""The prompts server: a library of prompt templates by name."""
