"""The present version beside an earlier one, as real processes in one run: `scripts/bench --beside`."""
