/* The conversion to Chrome JSON, for `fxt json` and the programs that record. */
#ifndef FXT_CLI_JSON_H
#define FXT_CLI_JSON_H

#include "src/convert/out.h"
#include "src/cli/stream.h"

/* Converts the whole stream. EXIT_FINDINGS if some records do not decode; at most max_findings
   (0: all) of these are reported on stderr. The caller checks out->failed, and closes the stream,
   which tells whether it could be read. */
enum exit_code json_convert(struct fxt_out *out, struct stream *stream, uint64_t max_findings);

/* The command `json`, under any name. Its struct is options_default. */
extern const struct option_spec json_options[];
enum exit_code json_run(const void *options);

#endif
