"""The site: what a Taiga knows about projects, people and work items, and its rules about them."""
