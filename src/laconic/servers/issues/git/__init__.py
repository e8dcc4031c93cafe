"""Running git.

`asking` is for short questions from any thread, `running` for commands that a cancelled call stops; both use
the same `environment`.
"""
