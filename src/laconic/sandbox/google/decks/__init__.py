"""Presentations as they are kept: pages with shapes, text and tables in the form that the API shows."""
