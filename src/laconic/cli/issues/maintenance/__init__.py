"""Commands for the files as a whole: `init`, `doctor`, and `merge`, which git runs."""
