"""The tools of the google server: what the model sees."""

from laconic.kit import Toolset

google = Toolset("google", "Drive, Docs, Sheets and Slides.", open_world=True)
