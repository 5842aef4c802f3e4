/* A trace as one HTML page that needs nothing else, for `fxt html` and the programs that record. */
#ifndef FXT_TOOLS_FXT_HTML_HTML_H
#define FXT_TOOLS_FXT_HTML_HTML_H

#include "src/convert/out.h"
#include "src/cli/stream.h"

/* Converts the whole stream. EXIT_FINDINGS after messages if something is left out; EXIT_IO after a
   message if there is no memory. The caller checks out->failed, and closes the stream, which tells
   whether it could be read. */
enum exit_code html_convert(struct fxt_out *out, struct stream *stream);

#endif
