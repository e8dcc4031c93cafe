"""What Laconic costs, compared with the bare SDK in the same run: `scripts/bench`."""
