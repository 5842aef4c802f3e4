/* Rewrites a trace in canonical form, with large records kept, left out or cut: for `fxt fmt` and
   the programs that record. */
#ifndef FXT_CLI_REWRITE_H
#define FXT_CLI_REWRITE_H

#include "src/convert/format.h"
#include "src/cli/stream.h"

/* Rewrites the whole stream. EXIT_FINDINGS if some records do not decode; at most max_findings
   (0: all) of these are reported on stderr. The caller checks out->failed, and closes the stream,
   which tells whether it could be read. */
enum exit_code rewrite(struct fxt_out *out, struct stream *stream, enum fxt_format_large large,
                       uint64_t max_findings);

/* A row that sets the member `large` of such a struct. */
#define OPTION_LARGE(type)                                                                         \
    {                                                                                              \
        "large", 'l', "keep|drop|blobs", "what to do with large records (keep)", option_choice,    \
            offsetof(type, large)                                                                  \
    }

#endif
