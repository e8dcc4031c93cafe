"""Templates: checked and rendered in processes of their own, which can be killed."""
