"""The keyring: tokens that people made, as digests."""
