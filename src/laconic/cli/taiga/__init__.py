"""`laconic taiga`: sign in to a Taiga instance, and look at what the account sees."""
