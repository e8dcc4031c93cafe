"""The records of the API: what is sent and what is answered."""
