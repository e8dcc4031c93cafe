"""Write the parts of the docs that are generated from the declarations."""
