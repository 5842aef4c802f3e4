/* The options of the commands of trace. */
#ifndef FXT_TOOLS_TRACE_RECORD_OPTIONS_H
#define FXT_TOOLS_TRACE_RECORD_OPTIONS_H

#include <trace-controller/controller.h>

#include "src/cli/tool_options.h"

#define LIST_MAX 100 /* most categories or providers: as many as a packet holds */

struct name_list {
    const char *it[LIST_MAX];
    size_t count;
};

/* The options of one provider. */
struct provider_options {
    const char *name;
    struct name_list categories;
    uint32_t megabytes;
};

enum format { FORMAT_BY_NAME, FORMAT_FXT, FORMAT_JSON, FORMAT_HTML };
enum choice { CHOICE_BY_NAME, CHOICE_YES, CHOICE_NO };

struct trace_options {
    struct options common; /* first: see trace_options_of */
    const char *config;
    struct name_list categories;
    struct name_list triggers; /* alerts that end the recording */
    struct name_list appended; /* additional arguments of the command */
    struct provider_options providers[LIST_MAX];
    size_t provider_count;
    double duration; /* seconds; 0: no limit */
    double timeout;  /* seconds to wait for a provider; 0: as the manager says */
    uint32_t megabytes;
    enum trace_mode mode; /* 0: not given */
    enum format format;
    enum choice compress;
    bool stream;
    bool defer;
    bool detach;
    bool decouple;
    bool spawn;
    bool ignore_result;
    bool unverified;
    bool report;
    bool allow_empty;
    bool fail_on_drop;
    bool verbose;
    bool quiet;
    bool background;
};

/* All commands of trace receive the first member of a struct trace_options. */
static inline const struct trace_options *trace_options_of(const struct options *options)
{
    return (const struct trace_options *)options;
}

/* Decided by an option or by the name of the output. */
enum format record_options_format(const struct trace_options *options); /* never BY_NAME */
bool record_options_compressed(const struct trace_options *options);

/* Checks that the options fit together; false after a message. */
bool record_options_agree(const struct trace_options *options);

/* The configuration for the manager. Writes the specifications to `specs`; everything else points
   into options. */
struct trace_config record_options_config(const struct trace_options *options,
                                          struct trace_provider_spec specs[LIST_MAX]);

extern const struct option_spec record_options[];
extern const struct option_spec start_options[];
extern const struct option_spec snapshot_options[];
extern const struct option_spec query_options[]; /* options of status and the lists */

#endif
