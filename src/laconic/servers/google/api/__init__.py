"""The APIs: requests to them, signed as one account, and what their refusals mean."""
