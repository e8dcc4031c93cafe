"""The tools of the prompts server: what the model sees."""

from laconic.kit import Toolset

prompts = Toolset("prompts", "A library of prompt templates by name.")
