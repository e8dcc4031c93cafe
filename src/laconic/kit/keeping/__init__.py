"""What is kept between calls: long answers to be read in slices, and the records of keys and writes.

`handles` stores long answers, `reading` has the tool and the resources that read them, `hosts` shortens a
resource for a host, `shrink` makes structured content fit, and `frozen` turns an answer into bytes. `keys`
has the record of a call under its key, with `processes` and `signs` to find out whether that call still runs;
`generations` is what makes cached answers stale.
"""
