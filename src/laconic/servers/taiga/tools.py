"""The tools of the taiga server: what the model sees."""

from laconic.kit import Toolset

taiga = Toolset(
    "taiga", "Projects, epics, user stories, tasks and issues of a Taiga instance.", open_world=True
)
