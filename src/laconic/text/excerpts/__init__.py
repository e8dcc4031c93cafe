"""Parts of a long text of any kind: its beginning, slices, outline, and the places where a query occurs."""
