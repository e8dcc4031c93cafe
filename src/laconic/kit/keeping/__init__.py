"""Long answers kept whole and read in slices.

`handles` stores them, `reading` has the tool and the resources that read them, `shrink` makes structured
content fit, and `frozen` turns an answer into bytes.
"""
