"""`laconic eval`: run suites of questions for a model."""
