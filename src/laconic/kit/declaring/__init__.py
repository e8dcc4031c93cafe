"""What a declaration says, as frozen data: the spec, its signature, and rules between arguments."""
