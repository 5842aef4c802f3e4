/* trace record and trace snapshot: the commands that write a trace in the foreground. */
#include <unistd.h>

#include "src/cli/cleanup.h"
#include "src/tools/trace/commands.h"
#include "src/tools/trace/sink.h"
#include "src/tools/trace/host.h"
#include "src/tools/trace/recording.h"
#include "src/tools/trace/result.h"

static enum exit_code record(const void *options)
{
    return recording_run(options, NULL);
}

const struct command command_record = {
    .name = "record",
    .title = "Records until the command exits, the duration is over, or Ctrl-C.",
    .usage = "[--] [COMMAND [ARGUMENT]...]",
    .options = record_options,
    .operands = OPERANDS_COMMAND,
    .defaults = &trace_default,
    .size = sizeof trace_default,
    .run = record,
};

/* Flushes the current session into an archive of its own. */
static enum exit_code flush(const struct host *host, struct result *result)
{
    struct drain drain;
    int output;
    if (!drain_begin(&drain, result->archive, NULL, NULL, &output))
        return EXIT_IO;
    drain_release(&drain);
    int error = trace_controller_flush(host->controller, output);
    close(output);
    if (error < 0)
        drain_stop(&drain);
    bool is_read = drain_join(&drain);
    if (error == TRACE_ERROR_NOT_INITIALIZED || error == TRACE_ERROR_NOT_STARTED) {
        message("nothing is being recorded");
        return EXIT_FINDINGS;
    }
    if (error == TRACE_ERROR_STOPPING) {
        message("another snapshot is being taken, or the recording is being stopped");
        return EXIT_FINDINGS;
    }
    if (result->archive->error != 0)
        return EXIT_CLEAN; /* result_finish tells */
    enum exit_code code = host_tell("cannot take a snapshot", error);
    return is_read ? code : EXIT_IO;
}

static enum exit_code snapshot(const void *given)
{
    const struct result_options *options = given;
    struct trace_status status = {.records_dropped = 0};
    bool is_known = false;
    struct result result;
    struct host host;
    if (!result_options_agree(options))
        return EXIT_USAGE;
    if (!result_open(&result, options))
        return EXIT_IO;
    /* A signal that comes before this leaves an empty file. */
    cleanup_set(result.sink.created ? result.sink.path : NULL);
    enum exit_code code = EXIT_FINDINGS;
    if (host_connect(&host, options->process)) {
        code = flush(&host, &result);
        is_known = code == EXIT_CLEAN && trace_controller_get_status(host.controller, &status) == 0;
        if (!is_known)
            status = (struct trace_status){.records_dropped = 0};
        host_close(&host);
    }
    if (code != EXIT_CLEAN) {
        result_discard(&result);
        return code;
    }
    code = result_finish(&result, false, false);
    cleanup_set(NULL);
    statistics_advise(status.records_dropped, status.mode);
    bool is_whole = is_known && status.records_dropped == 0 && status.records_refused == 0;
    bool fails = options->fail_on_drop && !is_whole;
    return fails ? exit_worse(code, EXIT_FINDINGS) : code;
}

const struct command command_snapshot = {
    .name = "snapshot",
    .title = "Writes the current contents of the buffers while recording goes on.",
    .usage = "",
    .options = snapshot_options,
    .operands = OPERANDS_NONE,
    .defaults = &result_default,
    .size = sizeof result_default,
    .run = snapshot,
};
