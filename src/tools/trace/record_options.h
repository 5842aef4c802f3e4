/* The options of the commands of trace. */
#ifndef FXT_TOOLS_TRACE_RECORD_OPTIONS_H
#define FXT_TOOLS_TRACE_RECORD_OPTIONS_H

#include <sys/types.h>

#include <trace-controller/controller.h>

#include "src/cli/options.h"
#include "src/cli/terminal.h"
#include "src/convert/format.h"

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

enum format { FORMAT_FXT, FORMAT_JSON, FORMAT_HTML, FORMAT_BY_NAME };
enum choice { CHOICE_BY_NAME, CHOICE_YES, CHOICE_NO };

/* What becomes of a trace: the options of snapshot. */
struct result_options {
    struct operand_list operands;
    const char *output;
    pid_t process; /* of snapshot */
    enum terminal_colour colour;
    enum format format;
    enum choice compress;
    enum fxt_format_large large;
    bool unverified;
    bool report;
    bool view;
    bool fail_on_drop;
    bool verbose;
    bool quiet;
};

/* The options of record and start. */
struct trace_options {
    struct result_options result; /* the first member */
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
    bool stream;
    bool defer;
    bool live;
    bool all;
    bool only_children;
    bool detach;
    bool decouple;
    bool return_child_result;
    bool allow_empty;
    bool ignored; /* what is accepted for compatibility */
};

/* The defaults. */
extern const struct result_options result_default;
extern const struct trace_options trace_default;

/* Decided by an option or by the name of the output. */
enum format result_options_format(const struct result_options *options); /* never BY_NAME */
bool result_options_compressed(const struct result_options *options);

/* Checks that the options fit together; false after a message. */
bool result_options_agree(const struct result_options *options);
bool record_options_agree(const struct trace_options *options);

/* Whether only the command and its children are recorded, by a manager of their own. */
bool record_options_only_children(const struct trace_options *options);

/* The configuration for the manager. Writes the specifications to `specs`; everything else points
   into options. */
struct trace_config record_options_config(const struct trace_options *options,
                                          struct trace_provider_spec specs[LIST_MAX]);

extern const struct option_spec record_options[];
extern const struct option_spec start_options[];
extern const struct option_spec snapshot_options[];

#endif
