"""What an answer is made of: content blocks, images, records and their views, pages, envelopes.

Nothing here knows about calls; `kit.present` puts the parts together.
"""
