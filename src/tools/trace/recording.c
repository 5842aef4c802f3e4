/* A recording sets up output, manager, session and command in this order, and ends them in
   reverse. A struct recording owns them all. Only the drain writes to the archive, from
   drain_begin to drain_join. */
#include "src/tools/trace/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/progress.h"
#include "src/tools/trace/sink.h"
#include "src/tools/trace/host.h"
#include "src/tools/trace/result.h"

#define GROUPS_BYTES 400u /* of a message */
#define INTERRUPTED "interrupted before the recording began"

struct recording {
    const struct trace_options *options;
    bool (*started)(const char *output, bool is_kept);
    struct signals signals;
    struct host host;
    struct result result;
    struct drain drain;
    struct content content;
    struct top *top; /* of --live, else NULL */
    struct interrupt interrupt;
    struct child child;
    struct statistics statistics;
    int command_code; /* exit code if the command could not be started, else 0 */
    bool began;       /* the session began: the file may be changed */
    bool failed;      /* the session failed: the archive may end anywhere */
};

/* Where the manager keeps a deferred trace. One in another process has an environment of its own. */
static const char *deferred_place(const struct recording *recording)
{
    const char *directory = secure_getenv("TMPDIR");
    if (recording->host.manager == NULL)
        return "the manager's $TMPDIR (or /var/tmp)";
    return directory != NULL && directory[0] != '\0' ? directory : "/var/tmp";
}

static const char *explain(int error)
{
    if (error == TRACE_ERROR_ALREADY_INITIALIZED)
        return "another recording is running; 'trace status' shows it";
    return trace_controller_error_text(error);
}

/* Adds the groups among the names, as far as there is room. Returns the size, or more if some found
   none. */
static size_t add_groups(char groups[GROUPS_BYTES], size_t size, const struct name_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        if (names->it[i][0] == '#' && size < GROUPS_BYTES)
            size += (size_t)snprintf(groups + size, GROUPS_BYTES - size, "%s%s",
                                     size > 0 ? ", " : "", names->it[i]);
    return size;
}

/* Each name alone is good, so the manager refuses what the groups among them stand for. */
static void report_invalid(const struct trace_options *options, const char *what)
{
    char groups[GROUPS_BYTES] = "";
    size_t size = add_groups(groups, 0, &options->categories);
    for (size_t i = 0; i < options->provider_count; i++)
        size = add_groups(groups, size, &options->providers[i].categories);
    if (size > 0)
        message("%s: the trace manager's configuration has no such group (%s), or more than 100 "
                "categories are meant",
                what, groups);
    else
        message("%s: more than 100 categories are meant", what);
}

/* A deferred trace is in a file of the manager's until the end. */
static void report_failure(const struct recording *recording, const char *what, int error)
{
    if (recording->options->defer &&
        (error == TRACE_ERROR_ABORTED || error == TRACE_ERROR_NO_RESOURCES))
        message("%s: %s; --defer-transfer keeps the trace in %s until the end: set TMPDIR to a "
                "directory with room for it",
                what, explain(error), deferred_place(recording));
    else if (error == TRACE_ERROR_INVALID)
        report_invalid(recording->options, what);
    else
        message("%s: %s", what, explain(error));
}

/* Ends a session whose output is not released. */
static void abandon(struct recording *recording)
{
    interrupt_begin(&recording->interrupt, recording->host.controller, &recording->drain);
    trace_controller_terminate(recording->host.controller, false, NULL, NULL);
    drain_stop(&recording->drain);
    drain_join(&recording->drain);
    interrupt_end(&recording->interrupt);
}

/* If the output failed, that is the reason. */
static void give_up(struct recording *recording, int error)
{
    abandon(recording);
    if (recording->result.archive->error != 0)
        sink_report(recording->result.archive);
    else if (recording->interrupt.interrupted &&
             (error == -EPIPE || error == TRACE_ERROR_TERMINATING))
        message(INTERRUPTED);
    else
        report_failure(recording, "cannot start recording", error);
}

static bool begin_session(struct recording *recording)
{
    static struct trace_provider_spec specs[LIST_MAX];
    struct trace_config config = record_options_config(recording->options, specs);
    trace_controller_t *controller = recording->host.controller;
    int output;

    content_begin(&recording->content, recording->options);
    if (recording->options->live && (recording->top = top_new()) == NULL) {
        message("%s", strerror(ENOMEM));
        return false;
    }
    if (!drain_begin(&recording->drain, recording->result.archive, &recording->content,
                     recording->top, &output))
        return false;
    trace_controller_set_drop_handler(controller, statistics_tell_drop, NULL);
    interrupt_begin(&recording->interrupt, controller, &recording->drain);
    int error = trace_controller_initialize(controller, &config, output);
    close(output);
    if (error == 0)
        error = trace_controller_start(controller, TRACE_DISPOSITION_CLEAR_ENTIRE, NULL, 0);
    interrupt_end(&recording->interrupt);
    if (error != 0)
        give_up(recording, error);
    return error == 0;
}

/* `why` is the error of END_MANAGER; `error` is that of the end. */
static void report_end(const struct recording *recording, enum end end, int why, int error)
{
    if (end == END_MANAGER)
        message("the recording ended: %s", trace_controller_error_text(why));
    else if (end == END_OUTPUT && recording->result.archive->error == 0)
        message("the recording ended: %s", error == -EPIPE ? trace_controller_error_text(error)
                                                           : "the trace manager ended it");
    else if (end == END_ALERT && recording->options->result.verbose)
        message("a trigger ended the recording");
}

/* Waits until the session and its output have ended. `reason` is why; `why` is the error of
   END_MANAGER. */
static void end_session(struct recording *recording, enum end reason, int why)
{
    if (isatty(STDERR_FILENO) == 1 && !recording->options->result.quiet)
        progress_show("the trace is being written");
    struct interrupt *interrupt = &recording->interrupt;
    interrupt->interrupted = interrupt->interrupted || reason == END_SIGNAL;
    interrupt_begin(interrupt, recording->host.controller, &recording->drain);
    int error = trace_controller_terminate(recording->host.controller, true, statistics_take,
                                           &recording->statistics);
    recording->statistics.is_crowded =
        trace_controller_providers_waited(recording->host.controller);
    if (error < 0 && error != -EPIPE)
        drain_stop(&recording->drain); /* the manager may keep its end open for ever */
    bool is_read = drain_join(&recording->drain);
    interrupt_end(interrupt);
    progress_hide();
    report_end(recording, reason, why, error);
    bool told = reason == END_MANAGER || reason == END_OUTPUT;
    recording->failed = error != 0 || told || !is_read;
    if (error != 0 && !told && recording->result.archive->error == 0)
        report_failure(recording, "cannot end the recording properly", error);
}

/* False after a message: who interrupts the start wants no command any more, nor a recorder in the
   background. Else what providers have recorded by then is a recording. */
static bool may_begin(const struct recording *recording)
{
    const struct sink *sink = &recording->result.sink;
    bool keeps = recording->started == NULL && recording->options->result.operands.count == 0;
    if (!recording->interrupt.interrupted || keeps)
        return recording->started == NULL ||
               recording->started(sink_shown(sink), recording->result.archive == sink);
    message(INTERRUPTED);
    return false;
}

/* An existing file keeps its contents until the command runs. */
static void run_session(struct recording *recording)
{
    struct watch watch = {
        .options = recording->options,
        .host = &recording->host,
        .controller = recording->host.controller,
        .child = &recording->child,
        .signals = &recording->signals,
        .interrupt = &recording->interrupt,
        .drain = &recording->drain,
        .output = drain_ended(&recording->drain),
    };
    if (!may_begin(recording)) {
        recording->began = false;
        abandon(recording);
        return;
    }
    recording->command_code =
        child_begin(&recording->child, recording->options, &recording->signals.mask);
    if (recording->command_code != 0) {
        abandon(recording);
        return;
    }
    drain_release(&recording->drain);
    enum end end = recording->interrupt.interrupted ? END_SIGNAL : watch_run(&watch);
    end_session(recording, end, watch.error);
}

static void record(struct recording *recording)
{
    recording->began = begin_session(recording);
    if (!recording->began)
        return;
    run_session(recording);
    child_tell(&recording->child, recording->options);
}

/* Selects the most telling exit code: a failure of the recording, then the command's code. */
static enum exit_code code_of(const struct recording *recording, enum exit_code result)
{
    if (recording->command_code != 0)
        return (enum exit_code)recording->command_code;
    if (result == EXIT_IO || recording->failed)
        return exit_worse(result, recording->failed ? EXIT_FINDINGS : EXIT_CLEAN);
    int code = child_code(&recording->child);
    return code != 0 && recording->options->return_child_result ? (enum exit_code)code : result;
}

/* The reason for "nothing was recorded: "; NULL if something was. */
static const char *why_empty(const struct recording *recording)
{
    const struct trace_options *options = recording->options;
    const struct statistics *statistics = &recording->statistics;
    if (recording->content.has_records)
        return NULL;
    if (statistics_dropped(statistics) > 0)
        return "no record found room; use a larger --buffer-size";
    if (statistics->count > 0 && !statistics_started(statistics))
        return "no provider started to trace; the lines above say why";
    if (statistics->count + statistics->lost > 0 && options->categories.count > 0)
        return "no event matched --categories; `trace list-categories` lists what programs declare";
    if (statistics->count + statistics->lost > 0)
        return "no provider traced anything during the recording; of a program that forks, as by "
               "daemon(), only the process that made the provider is recorded";
    if (recording->host.complained)
        return "no provider took part; the trace manager says above what went wrong";
    if (options->result.operands.count > 0 && !recording->child.ended)
        return "the command had not registered as a trace provider when the recording ended";
    if (options->result.operands.count > 0)
        return "the command did not register as a trace provider of this user; it becomes one "
               "with <trace-provider/provider.h> and an async loop that runs";
    return "no provider took part; start a program of this user that is a trace provider";
}

/* Reports a category without records, and how many more there are. */
static void report_missing(const struct recording *recording)
{
    const struct content *content = &recording->content;
    const struct content_pattern *it = content->patterns;
    char more[40] = "";
    while (it->found)
        it++;
    if (content->left > 1)
        snprintf(more, sizeof more, " and %zu more", content->left - 1);
    if (it->provider == NULL)
        message("nothing was recorded of category '%s'%s; `trace list-categories` lists what "
                "programs declare",
                it->text, more);
    else if (statistics_has(&recording->statistics, it->provider, it->provider_length))
        message("nothing was recorded of category '%.*s/%s'%s; `trace list-categories` lists what "
                "programs declare",
                (int)it->provider_length, it->provider, it->text, more);
    else
        message("nothing was recorded of category '%.*s/%s'%s: no provider of that name took part; "
                "`trace list-providers` prints those that run",
                (int)it->provider_length, it->provider, it->text, more);
}

/* Reports options that had no effect. */
static void report_unknown(const struct recording *recording)
{
    for (size_t i = 0; i < recording->options->provider_count; i++) {
        const struct provider_options *it = &recording->options->providers[i];
        bool is_told = it->categories.count > 0 && it->categories.it[0][0] != '#';
        if (!is_told && !statistics_has(&recording->statistics, it->name, strlen(it->name)))
            message(
                "no provider called '%s' took part; `trace list-providers` prints those that run",
                it->name);
    }
}

/* Prints the last line if less was recorded than requested. */
static enum exit_code judge_content(struct recording *recording)
{
    const struct trace_options *options = recording->options;
    const char *why = why_empty(recording);
    const struct content *content = &recording->content;
    bool is_whole = why == NULL && content->left == 0;
    bool quiet = options->result.quiet && options->allow_empty;
    if (why == NULL && !recording->failed && !quiet)
        report_unknown(recording);
    if (is_whole || content->is_unknown || recording->failed)
        return EXIT_CLEAN;
    if (why != NULL && !quiet)
        message("nothing was recorded: %s", why);
    else if (!quiet)
        report_missing(recording);
    return options->allow_empty ? EXIT_CLEAN : EXIT_FINDINGS;
}

/* What is not written leaves the file of the last recording alone. */
static enum exit_code finish_result(struct recording *recording)
{
    struct sink *sink = &recording->result.sink;
    bool is_empty = !recording->content.has_records && !recording->content.is_unknown;
    if (!is_empty || recording->options->allow_empty || !sink_has_contents(sink))
        return result_finish(&recording->result, is_empty, recording->failed);
    bool failed = recording->result.archive->error != 0;
    sink_report(recording->result.archive);
    message("%s: left as it was", sink->name);
    result_discard(&recording->result);
    return failed ? EXIT_IO : EXIT_CLEAN;
}

static enum exit_code finish(struct recording *recording)
{
    const struct trace_options *options = recording->options;
    if (!recording->began || recording->command_code != 0) {
        bool failed = recording->result.archive->error != 0;
        result_discard(&recording->result);
        return code_of(recording, failed ? EXIT_IO : EXIT_FINDINGS);
    }
    bool none =
        recording->failed && recording->statistics.count == 0; /* then the providers are unknown */
    statistics_print(&recording->statistics, options->result.verbose,
                     options->result.quiet || none);
    interrupt_begin(&recording->interrupt, NULL, NULL);
    enum exit_code result = finish_result(recording);
    interrupt_end(&recording->interrupt);
    if (recording->content.has_records || recording->content.is_unknown)
        statistics_advise(statistics_dropped(&recording->statistics),
                          statistics_dropped_mode(&recording->statistics));
    result = exit_worse(result, judge_content(recording));
    if (options->result.fail_on_drop && !statistics_is_whole(&recording->statistics))
        result = exit_worse(result, EXIT_FINDINGS);
    statistics_free(&recording->statistics);
    content_end(&recording->content);
    top_free(recording->top);
    return code_of(recording, result);
}

enum exit_code recording_run(const struct trace_options *options,
                             bool (*started)(const char *output, bool is_kept))
{
    static struct recording recording;
    recording.options = options;
    recording.started = started;
    if (!record_options_agree(options))
        return EXIT_USAGE;
    recording.command_code = child_find(options);
    if (recording.command_code != 0)
        return (enum exit_code)recording.command_code;
    if (!result_open(&recording.result, &options->result))
        return EXIT_IO;
    if (!signals_open(&recording.signals, started != NULL)) {
        result_discard(&recording.result);
        return EXIT_IO;
    }
    if (!interrupt_open(&recording.interrupt, &recording.signals, started != NULL)) {
        signals_close(&recording.signals);
        result_discard(&recording.result);
        return EXIT_IO;
    }
    recording.result.sink.hurry = recording.interrupt.hurry[0];
    if (host_open(&recording.host, options)) {
        record(&recording);
        host_close(&recording.host); /* before another one records into it */
        if (!options->detach)
            child_end(&recording.child);
        host_remove(&recording.host);
    }
    enum exit_code code = finish(&recording);
    interrupt_close(&recording.interrupt);
    signals_close(&recording.signals);
    return code;
}
