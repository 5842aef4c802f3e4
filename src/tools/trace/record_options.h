/* The options of the commands of trace. */
#ifndef FXT_TOOLS_TRACE_RECORD_OPTIONS_H
#define FXT_TOOLS_TRACE_RECORD_OPTIONS_H

#include <trace-controller/controller.h>

#include "src/tools/common/options.h"

#define NAMES_MAX 100 /* of categories, of providers: what a packet holds */

struct name_list {
    const char *it[NAMES_MAX];
    size_t count;
};

/* What is asked of one provider. */
struct provider_options {
    const char *name;
    struct name_list categories;
    uint32_t megabytes;
};

enum format { FORMAT_BY_NAME, FORMAT_FXT, FORMAT_JSON };
enum choice { CHOICE_BY_NAME, CHOICE_YES, CHOICE_NO };

struct trace_options {
    struct options common; /* first: see trace_options_of */
    const char *config;
    struct name_list categories;
    struct name_list triggers; /* alerts that end the trace */
    struct name_list appended; /* arguments of the command */
    struct provider_options providers[NAMES_MAX];
    size_t provider_count;
    double duration; /* seconds; 0: without end */
    double timeout;  /* seconds that a provider has to answer; 0: as the manager says */
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
    bool allow_empty;
    bool verbose;
    bool quiet;
    bool background;
};

/* All commands of trace are given the beginning of a struct trace_options. */
static inline const struct trace_options *trace_options_of(const struct options *options)
{
    return (const struct trace_options *)options;
}

/* What is asked for, by an option or the name of the output. */
bool record_options_json(const struct trace_options *options);
bool record_options_compressed(const struct trace_options *options);

/* What options rule out together; false after a message. */
bool record_options_agree(const struct trace_options *options);

/* What the manager is asked for. The specs are written to `specs`; all else points into options. */
struct trace_config record_options_config(const struct trace_options *options,
                                          struct trace_provider_spec specs[NAMES_MAX]);

extern const struct option_spec record_options[];
extern const struct option_spec start_options[];
extern const struct option_spec snapshot_options[];
extern const struct option_spec query_options[]; /* of status and the lists */

#endif
