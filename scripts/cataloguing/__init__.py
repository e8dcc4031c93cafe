"""The catalogue of Google's operations: facts from its API descriptions, words of our own."""
