"""A document as data: its tabs and segments, their text with Google's indices, blocks, outline, places.

`docs_getDocument` uses it like this: `document = parse(await access.call("docs_get", …))`, asked with
`includeTabsContent` true and `suggestionsViewMode` SUGGESTIONS_INLINE (`reading.opening.read` does both);
`outline(document)` has the sections with numbers, paths, indices and characters; `find_section(document,
"Costs")` finds one by text, path or number and raises `NoSection` with those that are near;
`markdown.whole.view_of(document)` is all of it, `view_of(document, section)` one section: text, and what
markdown could not express. `document.revision` is what views are bound to.
"""
