"""Search: what is indexed of an item, the language of queries, and the SQL that finds and ranks."""
