"""`laconic demo`: an agent's short day, the tokens of each answer compared with a thin wrapper's."""
