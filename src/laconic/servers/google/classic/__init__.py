"""Classic: the names and parameters of an earlier server, each made into operations of the catalogue."""
