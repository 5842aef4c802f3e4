/* The conversion to Chrome JSON, for `fxt json` and the programs that record. */
#ifndef FXT_CLI_JSON_H
#define FXT_CLI_JSON_H

#include "src/convert/out.h"
#include "src/cli/stream.h"

struct json_options {
    struct options common; /* of these: max_findings */
    bool absolute_times;
    bool quiet; /* say only what went wrong */
};

/* Converts the whole stream. EXIT_FINDINGS if some records do not decode, or something cannot be shown
   as it is; stderr tells. The caller checks out->failed, and closes the stream, which tells whether
   it could be read. */
enum exit_code json_convert(struct fxt_out *out, struct stream *stream,
                            const struct json_options *options);

/* The command `json`, under any name. */
extern const struct json_options json_default;
extern const struct option_spec json_options[];
enum exit_code json_run(const void *options);

#endif
