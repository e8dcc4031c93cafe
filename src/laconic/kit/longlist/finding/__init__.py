"""What the finder knows: words and their stems, a thesaurus, a phrasebook, and an index of the tools."""
