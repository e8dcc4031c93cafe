"""Drive: finding, reading, changing and sharing files, and moving their bytes."""
