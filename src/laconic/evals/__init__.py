"""Evals: does a model use the tools right? Suites of cases, run through the real tools and checked."""
