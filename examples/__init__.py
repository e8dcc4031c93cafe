"""Small servers, one for each pattern: see docs/patterns.md."""
