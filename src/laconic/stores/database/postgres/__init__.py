"""PostgreSQL: psycopg in threads for work, and a connection that is only asked for changes."""
