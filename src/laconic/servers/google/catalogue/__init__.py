"""The catalogue: every operation of the four APIs as data, made by scripts/catalogue."""
