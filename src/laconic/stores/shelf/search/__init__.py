"""Search on a shelf: the language of queries, the words of texts, and what is found."""
