"""Declarations as frozen data: the spec of a tool, its options and signature, and rules between arguments."""
