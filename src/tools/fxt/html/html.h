/* One trace or two as one HTML page that needs nothing else, for `fxt html` and the programs that record. */
#ifndef FXT_TOOLS_FXT_HTML_HTML_H
#define FXT_TOOLS_FXT_HTML_HTML_H

#include "src/convert/out.h"
#include "src/cli/stream.h"

/* Chooses the part of a trace that the page shows. begin, end: the times of the trace, in ns,
   become those of the part, begin <= time < end. EXIT_FINDINGS after a message if it is empty;
   EXIT_USAGE after a message if there is no such part, and no page. */
struct html_part {
    enum exit_code (*choose)(const struct html_part *part, const char *file, uint64_t *begin,
                             uint64_t *end);
};

#define HTML_TRACES 2 /* at most: the old one and the new one */

/* Converts the whole of each stream, which stays open. The page of two compares them.
   part: NULL for all of each. EXIT_FINDINGS after messages if something is left out; EXIT_IO after
   a message if there is no memory. The caller checks out->failed, and closes the streams, which
   tells whether they could be read. */
enum exit_code html_convert(struct fxt_out *out, struct stream *streams, int count,
                            const struct html_part *part);

#endif
