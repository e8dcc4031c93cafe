"""The API of a Taiga instance: signing in, requests, pages."""
