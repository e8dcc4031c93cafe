"""What the finder knows: words and their stems, a thesaurus, a phrasebook, what tools say of themselves."""
