"""What an answer is made of: content blocks, images, records and their views, pages, envelopes.

Nothing here knows a call; `kit.present` puts the parts together.
"""
