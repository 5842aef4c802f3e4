"""The vectors that come in families: the same done to every record of the format, at every place
where it can be done. Each module families_*.py adds those of one matter."""
import families_args
import families_bits
import families_checkers
import families_events
import families_fields
import families_framing
import families_more
import families_readers
import families_strings
import families_tables
import families_wide

MODULES = (families_framing, families_fields, families_strings, families_args, families_tables,
           families_events, families_more, families_readers, families_checkers,
           families_wide, families_bits)


def families():
    """The sources of all families."""
    sources = []
    for module in MODULES:
        module.families(sources.append)
    return sources
