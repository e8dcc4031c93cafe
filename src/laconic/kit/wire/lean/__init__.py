"""Standard input and output without the SDK: the protocol's lines, read and answered by hand."""
