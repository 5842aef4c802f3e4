/* The conversion to Chrome JSON, for `fxt json` and the programs that record. */
#ifndef FXT_CLI_JSON_H
#define FXT_CLI_JSON_H

#include "src/convert/chrome.h"
#include "src/cli/stream.h"

struct json_options {
    struct options common; /* of these: max_findings */
    bool absolute_times;
    bool quiet; /* say only what went wrong */
};

/* The conversion of one file. */
struct json_writer {
    const char *file;
    const struct json_options *options;
    struct fxt_tables tables;
    struct fxt_chrome chrome;
    struct fxt_chrome_memory *memory;
    uint64_t reported;
    bool told; /* full tables have been reported */
};

/* Writes the head. is_second: another one reads the file, too, at the same time. False after a message. */
bool json_begin(struct json_writer *writer, struct fxt_out *out, const char *file,
                const struct json_options *options, bool is_second);

void json_take(struct json_writer *writer, const struct fxt_record *record);

/* Writes the tail, and says what is odd. Result: as below. */
enum exit_code json_end(struct json_writer *writer);

/* Converts the whole stream. EXIT_FINDINGS if some records do not decode, or something cannot be shown
   as it is; stderr tells. The caller checks out->failed, and closes the stream, which tells whether
   it could be read. */
enum exit_code json_convert(struct fxt_out *out, struct stream *stream,
                            const struct json_options *options);

/* The command `json`, under any name. */
#define OPTIONS_OF_JSON                                                                            \
    OPTION_OUTPUT,                                                                                 \
        {"absolute-times",                                                                         \
         0,                                                                                        \
         NULL,                                                                                     \
         "write times as they are, not from a base on",                                            \
         option_bool,                                                                              \
         offsetof(struct json_options, absolute_times)},                                           \
        OPTION_MAX_FINDINGS, OPTIONS_OF_TRACES
extern const struct json_options json_default;
extern const struct option_spec json_options[];
enum exit_code json_run(const void *options);

#endif
