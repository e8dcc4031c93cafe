"""The shelf: items of any kind with tags, versions, labels, links, archive, trash and search."""
