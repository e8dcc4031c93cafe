"""`laconic demo`: a short day of an agent, each answer counted beside that of a thin wrapper."""
