"""The operations of Slides."""
