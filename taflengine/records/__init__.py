"""Game records of other programs and of this one, read, written and judged.

``record`` is what a record holds, ``formats`` the list of formats, ``judge`` what
the rules say to a record.
"""
