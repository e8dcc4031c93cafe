"""What the document says that FastAPI cannot know: failures, tokens, headers, other media and examples."""
