"""The google server: Drive, Docs, Sheets and Slides."""
