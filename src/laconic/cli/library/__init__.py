"""`laconic library …`: the user's only copy, backed up, put back and checked."""
