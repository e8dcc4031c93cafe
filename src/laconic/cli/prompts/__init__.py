"""`laconic prompts`: the library of prompts, for people in a terminal."""
