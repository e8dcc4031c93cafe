"""What Laconic costs, against the bare SDK in the same run: `scripts/bench`."""
