"""SQLite: a file as a database, its copies, and what its errors mean."""
