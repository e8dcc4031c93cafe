"""`laconic google`: sign in to Google accounts, and look at which there are."""
