/* The options of the commands: a function for each value, and the tables. Owns the strings that are
   split out of a value, until the program ends. */
#include "src/tools/trace/record_options.h"
#include "src/tools/trace/private.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/record.h>

#include "src/cli/rewrite.h"
#include "src/tools/trace/sink.h"

#define MEGABYTES_MAX 4096u
#define DURATION_MAX 1e9    /* seconds: thirty years */
#define TIMEOUT_MAX 86400   /* seconds: a day */
#define NAME_BYTES_MAX 100u /* of a category or a provider: what a packet has room for */
#define ALERT_BYTES_MAX 14

const struct result_options result_default = {.format = FORMAT_BY_NAME};
const struct trace_options trace_default = {.result.format = FORMAT_BY_NAME,
                                            .return_child_result = true};

struct kept {
    struct kept *next;
    char text[];
};

static struct kept *all_kept;

/* A copy of the first `size` bytes, or NULL. */
static char *keep(const char *value, size_t size)
{
    struct kept *it = calloc(1, sizeof *it + size + 1);
    if (it == NULL)
        return NULL;
    memcpy(it->text, value, size);
    it->next = all_kept;
    all_kept = it;
    return it->text;
}

static bool add(struct name_list *list, const char *name)
{
    if (*name == '\0')
        return false;
    if (list->count == LIST_MAX) {
        message("more than %d names", LIST_MAX);
        return false;
    }
    list->it[list->count++] = name;
    return true;
}

/* Whether the manager can be told this name of a category or a provider. */
static bool is_name(const char *name)
{
    size_t size = strlen(name);
    bool good = size <= NAME_BYTES_MAX && fxt_utf8_valid((const uint8_t *)name, size);
    if (!good)
        message("a name is UTF-8 of at most %u bytes, which '%s' is not", NAME_BYTES_MAX, name);
    return good;
}

static bool are_names(const struct name_list *list)
{
    size_t i = 0;
    while (i < list->count && is_name(list->it[i]))
        i++;
    return i == list->count;
}

/* Adds all names of "a,b,c", or none. */
static bool add_all(struct name_list *list, const char *value)
{
    char *rest = keep(value, strlen(value));
    size_t before = list->count;
    bool good = rest != NULL;
    while (good && rest != NULL)
        good = add(list, strsep(&rest, ","));
    if (!good)
        list->count = before;
    return good;
}

static bool megabytes(uint32_t *out, const char *value)
{
    char *end;
    errno = 0;
    unsigned long number = strtoul(value, &end, 10);
    if (errno != 0 || !isdigit((unsigned char)*value) || *end != '\0' || number < 1 ||
        number > MEGABYTES_MAX)
        return false;
    *out = (uint32_t)number;
    return true;
}

/* Splits "NAME:rest". The name may have colons, the rest none. NULL if the value has another
   form. */
static struct provider_options *provider(struct trace_options *options, const char *value,
                                         const char **rest)
{
    const char *colon = strrchr(value, ':');
    if (colon == NULL || colon == value)
        return NULL;
    *rest = colon + 1;
    const char *name = keep(value, (size_t)(colon - value));
    if (name == NULL || !is_name(name))
        return NULL;
    for (size_t i = 0; i < options->provider_count; i++)
        if (strcmp(options->providers[i].name, name) == 0)
            return &options->providers[i];
    if (options->provider_count == LIST_MAX)
        return NULL;
    struct provider_options *new = &options->providers[options->provider_count++];
    new->name = name;
    return new;
}

static bool set_categories(void *member, const struct option_spec *spec, const char *value)
{
    struct name_list *list = member;
    (void)spec;
    return add_all(list, value) && are_names(list);
}

static bool set_buffer_size(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    return megabytes(member, value);
}

static bool set_provider_buffer_size(void *member, const struct option_spec *spec,
                                     const char *value)
{
    const char *rest;
    (void)spec;
    struct provider_options *it = provider(member, value, &rest);
    return it != NULL && megabytes(&it->megabytes, rest);
}

/* Categories may have colons, so the name ends at the first one. */
static bool set_provider_categories(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    const char *rest;
    const char *colon = strchr(value, ':');
    if (colon == NULL)
        return false;
    const char *name = keep(value, (size_t)(colon - value) + 1);
    struct provider_options *it = name != NULL ? provider(member, name, &rest) : NULL;
    return it != NULL && add_all(&it->categories, colon + 1) && are_names(&it->categories);
}

static bool set_mode(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    static const char *const names[] = {"oneshot", "circular", "streaming"};
    for (int i = 0; i < 3; i++)
        if (strcmp(value, names[i]) == 0 || (value[0] == names[i][0] && value[1] == '\0')) {
            *(enum trace_mode *)member = (enum trace_mode)(TRACE_MODE_ONESHOT + i);
            return true;
        }
    return false;
}

static bool seconds(double *out, const char *value, double max)
{
    char *end;
    *out = strtod(value, &end);
    return end != value && *end == '\0' && *out > 0 && *out <= max;
}

static bool set_duration(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    return seconds(member, value, DURATION_MAX);
}

static bool set_timeout(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    return seconds(member, value, TIMEOUT_MAX);
}

static bool set_compress(void *member, const struct option_spec *spec, const char *value)
{
    bool yes;
    bool good = option_bool(&yes, spec, value);
    *(enum choice *)member = yes ? CHOICE_YES : CHOICE_NO;
    return good;
}

/* "ALERT:stop" or "ALERT:terminate". */
static bool set_trigger(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    struct name_list *list = member;
    const char *colon = strrchr(value, ':');
    if (colon == NULL || (strcmp(colon, ":stop") != 0 && strcmp(colon, ":terminate") != 0))
        return false;
    size_t length = (size_t)(colon - value);
    if (length > ALERT_BYTES_MAX)
        message("the name of an alert has at most %d bytes", ALERT_BYTES_MAX);
    if (length == 0 || length > ALERT_BYTES_MAX)
        return false;
    const char *name = keep(value, length);
    for (size_t i = 0; name != NULL && i < list->count; i++)
        if (strcmp(list->it[i], name) == 0) {
            message("two triggers for the alert '%s'", name);
            return false;
        }
    return name != NULL && add(list, name);
}

static bool set_append_args(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    return add_all(member, value);
}

#define IN_RESULT(member) offsetof(struct result_options, member)
#define IN_TRACE(member) offsetof(struct trace_options, member)

#define RESULT_OPTIONS                                                                             \
    OPTION_GROUP("the result"),                                                                    \
        {"output-file", 'o',                                                                       \
         "FILE",        "write to FILE (trace.fxt), tcp:HOST:PORT or - (stdout)",                  \
         option_text,   IN_RESULT(output)},                                                        \
        {"format",        0,                                                                       \
         "fxt|json|html", "FXT, Chrome JSON or a page (by the name, else fxt)",                    \
         option_choice,   IN_RESULT(format)},                                                      \
        {"compress",         0, "[=BOOL]", "compress with zstd (for *.zst)", set_compress,         \
         IN_RESULT(compress)},                                                                     \
        OPTION_LARGE(struct result_options),                                                       \
        {"no-verify",          0, NULL, "do not check the trace afterwards", option_bool,          \
         IN_RESULT(unverified)},                                                                   \
        {"fail-on-drop", 0,                                                                        \
         NULL,           "exit with 1 if records were dropped or refused",                         \
         option_bool,    IN_RESULT(fail_on_drop)},                                                 \
        {"verbose",         'v', NULL, "also print alerts and all statistics", option_bool,        \
         IN_RESULT(verbose)},                                                                      \
    {                                                                                              \
        "quiet", 'q', NULL, "print only what went wrong", option_bool, IN_RESULT(quiet)            \
    }

#define REPORT_OPTION                                                                              \
    {"report",         0, NULL, "print where time went, as 'fxt report' does", option_bool,        \
     IN_RESULT(report)},                                                                           \
        OPTION_COLOR_IN(struct result_options, colour)

#define SESSION_OPTIONS                                                                            \
    OPTION_GROUP("what is recorded"),                                                              \
        {"categories",   'c',                                                                      \
         "LIST",         "categories to record: names, prefix*, #group (all)",                     \
         set_categories, IN_TRACE(categories)},                                                    \
        {"provider-categories",   0, "NAME:LIST", "additional categories of one provider",         \
         set_provider_categories, 0},                                                              \
        {"buffer-size",                                                                            \
         'b',                                                                                      \
         "MB",                                                                                     \
         "buffer of each provider in MiB, 1 to 4096 (4)",                                          \
         set_buffer_size,                                                                          \
         IN_TRACE(megabytes)},                                                                     \
        {"provider-buffer-size",   0, "NAME:MB", "buffer of one provider",                         \
         set_provider_buffer_size, 0},                                                             \
        {"buffering-mode",       'm',      "oneshot|circular|streaming",                           \
         "or o, c, s (oneshot)", set_mode, IN_TRACE(mode)},                                        \
        {"stream",        's', NULL, "streaming mode: write while recording", option_bool,         \
         IN_TRACE(stream)},                                                                        \
        {"defer-transfer", 0, NULL, "streaming mode, but write the trace at the end", option_bool, \
         IN_TRACE(defer)},                                                                         \
        {"duration",   'd',                                                                        \
         "SECONDS",    "end after this time; fractions are allowed",                               \
         set_duration, IN_TRACE(duration)},                                                        \
        {"trigger",         't', "ALERT:stop", "end at this alert; may be repeated", set_trigger,  \
         IN_TRACE(triggers)},                                                                      \
        {"timeout",   0,                                                                           \
         "SECONDS",   "how long to wait for a provider (5), then salvage its buffer",              \
         set_timeout, IN_TRACE(timeout)},                                                          \
        {"allow-empty", 0,                                                                         \
         NULL,          "exit with 0 even if nothing, or not all of LIST, was recorded",           \
         option_bool,   IN_TRACE(allow_empty)},                                                    \
    {                                                                                              \
        "config", 0, "FILE", "configuration of the manager, unless one is running", option_text,   \
            IN_TRACE(config)                                                                       \
    }

const struct option_spec record_options[] = {
    RESULT_OPTIONS,
    REPORT_OPTION,
    {"view", 0, NULL, "show the trace in the browser, as 'fxt view' does", option_bool,
     IN_RESULT(view)},
    SESSION_OPTIONS,
    {"live", 0, NULL, "streaming mode; show at the terminal which names take the time", option_bool,
     IN_TRACE(live)},
    OPTION_GROUP("the command"),
    {"only-children", 0, NULL, "record only the command and its children (see --all)", option_bool,
     IN_TRACE(only_children)},
    {"all", 0, NULL, "record other providers of this user, too", option_bool, IN_TRACE(all)},
    {"append-args", 0, "LIST", "append these arguments to those of the command", set_append_args,
     IN_TRACE(appended)},
    {"detach", 0, "[=BOOL]", "leave the command running when the recording ends", option_bool,
     IN_TRACE(detach)},
    {"decouple", 0, "[=BOOL]", "go on recording after the command has exited", option_bool,
     IN_TRACE(decouple)},
    {"spawn", 0, "[=BOOL]", "no effect; accepted for compatibility", option_bool,
     IN_TRACE(ignored)},
    {"return-child-result", 0, "[=BOOL]", "exit with the status of the command (true)", option_bool,
     IN_TRACE(return_child_result)},
    OPTION_END,
};

const struct option_spec start_options[] = {
    RESULT_OPTIONS,
    SESSION_OPTIONS,
    OPTION_GROUP("the command"),
    {"background", 0, NULL, "no effect; accepted for compatibility", option_bool,
     IN_TRACE(ignored)},
    OPTION_END,
};

const struct option_spec snapshot_options[] = {
    OPTION_PID(struct result_options, process),
    RESULT_OPTIONS,
    REPORT_OPTION,
    OPTION_END,
};

static bool output_is_file(const struct result_options *options)
{
    const char *name = options->output != NULL ? options->output : "";
    struct stat it;
    return strcmp(name, "-") != 0 && strncmp(name, "tcp:", 4) != 0 &&
           (stat(name, &it) != 0 || S_ISREG(it.st_mode) || S_ISDIR(it.st_mode));
}

static bool output_ends_with(const struct result_options *options, const char *end)
{
    const char *name = options->output != NULL ? options->output : "";
    size_t size = strlen(name);
    return size >= strlen(end) && strcmp(name + size - strlen(end), end) == 0;
}

enum format result_options_format(const struct result_options *options)
{
    if (options->format != FORMAT_BY_NAME)
        return options->format;
    if (output_ends_with(options, ".json") || output_ends_with(options, ".json.zst"))
        return FORMAT_JSON;
    return output_ends_with(options, ".html") ? FORMAT_HTML : FORMAT_FXT;
}

bool result_options_compressed(const struct result_options *options)
{
    if (options->compress != CHOICE_BY_NAME)
        return options->compress == CHOICE_YES;
    return output_ends_with(options, ".zst");
}

bool result_options_agree(const struct result_options *options)
{
    const char *output = options->output;
    enum format format = result_options_format(options);
    if (output != NULL && strncmp(output, "tcp:", 4) == 0 && !tcp_is_place(output)) {
        message("%s: not of the form tcp:HOST:PORT with a PORT from 1 to 65535", output);
        return false;
    }
    if (options->large != FXT_FORMAT_LARGE_KEEP && format != FORMAT_FXT) {
        message("--large is for FXT output, but the output is %s",
                format == FORMAT_JSON ? "JSON" : "HTML");
        return false;
    }
    if ((options->report || options->view) && !output_is_file(options)) {
        message("--%s reads the trace again, so its output must be a file",
                options->report ? "report" : "view");
        return false;
    }
    return true;
}

bool record_options_agree(const struct trace_options *options)
{
    bool streaming = options->stream || options->defer || options->live;
    if (streaming && options->mode != 0 && options->mode != TRACE_MODE_STREAMING) {
        message("--%s requires streaming mode, but another mode is given",
                options->stream  ? "stream"
                : options->defer ? "defer-transfer"
                                 : "live");
        return false;
    }
    if (options->stream && options->defer) {
        message("--stream writes the trace while it is recorded, --defer-transfer at the end: give "
                "one of them");
        return false;
    }
    if (options->live && (options->defer || options->result.quiet)) {
        message("--live shows what is written while it is recorded: --%s cannot be given, too",
                options->defer ? "defer-transfer" : "quiet");
        return false;
    }
    if (options->live && isatty(STDERR_FILENO) != 1) {
        message("--live needs a terminal for standard error");
        return false;
    }
    if (options->appended.count > 0 && options->result.operands.count == 0) {
        message("--append-args requires a command");
        return false;
    }
    if (options->only_children && (options->all || options->result.operands.count == 0)) {
        message(options->all
                    ? "--all records other providers, --only-children none: give one of them"
                    : "--only-children requires a command");
        return false;
    }
    return result_options_agree(&options->result);
}

/* Who sets the variable wants the manager that is there. A command that goes on afterwards would look for
   the manager of this recording for ever. */
bool record_options_only_children(const struct trace_options *options)
{
    bool shares = options->all || options->detach || secure_getenv("FXT_TRACE_DIR") != NULL;
    return options->only_children || (options->result.operands.count > 0 && !shares);
}

static enum trace_mode mode_of(const struct trace_options *options)
{
    if (options->mode != 0)
        return options->mode;
    return options->stream || options->defer || options->live ? TRACE_MODE_STREAMING
                                                              : TRACE_MODE_ONESHOT;
}

struct trace_config record_options_config(const struct trace_options *options,
                                          struct trace_provider_spec specs[LIST_MAX])
{
    uint32_t timeout_ms = options->timeout > 0 ? (uint32_t)(options->timeout * 1000) + 1 : 0;
    for (size_t i = 0; i < options->provider_count; i++) {
        const struct provider_options *it = &options->providers[i];
        specs[i] = (struct trace_provider_spec){
            .name = it->name,
            .categories = it->categories.it,
            .category_count = it->categories.count,
            .buffer_megabytes = it->megabytes,
        };
    }
    return (struct trace_config){
        .categories = options->categories.it,
        .category_count = options->categories.count,
        .specs = specs,
        .spec_count = options->provider_count,
        .mode = mode_of(options),
        .buffer_megabytes = options->live && options->megabytes == 0 ? 1 : options->megabytes,
        .defer_transfer = options->defer,
        .start_timeout_ms = timeout_ms,
        .stop_timeout_ms = timeout_ms,
    };
}
