/* trace status and the lists. A list is collected before it is printed, so that an incomplete
   list prints nothing. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "src/cli/finding.h"
#include "src/cli/output.h"
#include "src/tools/trace/commands.h"
#include "src/tools/trace/host.h"
#include "src/tools/trace/private.h"
#include "src/tools/trace/result.h"

static void member(struct fxt_out *out, const char *before, const char *name, uint64_t value)
{
    fxt_out_text(out, before);
    fxt_out_char(out, '"');
    fxt_out_text(out, name);
    fxt_out_text(out, "\":");
    fxt_out_u64(out, value);
}

static void text_member(struct fxt_out *out, const char *before, const char *name, const char *text)
{
    fxt_out_text(out, before);
    fxt_out_char(out, '"');
    fxt_out_text(out, name);
    fxt_out_text(out, "\":");
    json_string(out, text, strlen(text));
}

static const char *state_name(enum trace_session_state state)
{
    static const char *const names[] = {"none",    "ready",    "initialized", "starting",
                                        "started", "stopping", "stopped",     "terminating"};
    return names[state];
}

static const char *mode_name(enum trace_mode mode)
{
    static const char *const names[] = {"none", "oneshot", "circular", "streaming"};
    return names[mode];
}

static void status_json(struct fxt_out *out, const struct trace_status *status)
{
    text_member(out, "{", "state", state_name(status->state));
    text_member(out, ",", "mode", mode_name(status->mode));
    member(out, ",", "providers", status->providers);
    member(out, ",", "bytes_written", status->bytes_written);
    member(out, ",", "records_dropped", status->records_dropped);
    member(out, ",", "records_refused", status->records_refused);
    member(out, ",", "started_ns", status->started_ns);
    text_member(out, ",", "output_error",
                status->output_error != 0 ? strerror(status->output_error) : "");
    fxt_out_text(out, "}\n");
}

static void status_text(struct fxt_out *out, const struct trace_status *status)
{
    char bytes[READABLE_SIZE];
    char text[400];
    readable_bytes(bytes, status->bytes_written);
    if (status->state == TRACE_SESSION_NONE)
        snprintf(text, sizeof text, "nothing is being recorded\n");
    else
        snprintf(
            text, sizeof text,
            "state      %s\nmode       %s\nsince      %.1f s\nproviders  %" PRIu32
            "\nwritten    %s\ndropped    %" PRIu64 " records\nrefused    %" PRIu64 " records\n",
            state_name(status->state), mode_name(status->mode), (double)status->started_ns / 1e9,
            status->providers, bytes, status->records_dropped, status->records_refused);
    fxt_out_text(out, text);
    if (status->output_error == 0)
        return;
    snprintf(text, sizeof text, "output     %s\n", strerror(status->output_error));
    fxt_out_text(out, text);
}

/* An answer under construction, as text or JSON. */
struct list {
    struct fxt_out *out;
    bool json;
    bool styled;
    size_t count;
};

static enum exit_code ask_status(trace_controller_t *controller, struct list *list)
{
    struct trace_status status;
    int error = trace_controller_get_status(controller, &status);
    if (error == 0)
        (list->json ? status_json : status_text)(list->out, &status);
    return host_tell("the trace manager", error);
}

struct query_options {
    struct options common; /* the first member */
    pid_t process;
    bool json;
};

static void heading(const struct list *list, const char *text)
{
    fxt_out_text(list->out, list->styled ? OUTPUT_HEADING : "");
    fxt_out_text(list->out, text);
    fxt_out_text(list->out, list->styled ? OUTPUT_PLAIN "\n" : "\n");
}

static const char *before(const struct list *list)
{
    return list->count == 0 ? "[\n{" : ",\n{";
}

/* The text of an empty list is empty; people learn on stderr what would fill it. */
static void end_list(struct list *list, const char *if_empty)
{
    if (list->json)
        fxt_out_text(list->out, list->count == 0 ? "[]\n" : "\n]\n");
    else if (list->count == 0)
        message("%s", if_empty);
}

static void add_provider(void *data, const struct trace_provider_info *it)
{
    struct list *list = data;
    char numbers[40];
    if (list->json) {
        member(list->out, before(list), "id", it->id);
        member(list->out, ",", "process", it->process);
        text_member(list->out, ",", "name", it->name);
        fxt_out_char(list->out, '}');
    } else {
        if (list->count == 0)
            heading(list, "  id     process  name");
        snprintf(numbers, sizeof numbers, "%4" PRIu32 "  %10" PRIu64 "  ", it->id, it->process);
        fxt_out_text(list->out, numbers);
        shown_string(list->out, it->name);
        fxt_out_char(list->out, '\n');
    }
    list->count++;
}

static enum exit_code ask_providers(trace_controller_t *controller, struct list *list)
{
    int error = trace_controller_get_providers(controller, add_provider, list);
    if (error == 0)
        end_list(
            list,
            "no provider is registered; start a program of this user that is a trace provider");
    return host_tell("the trace manager", error);
}

static void add_category(void *data, const char *name, const char *description)
{
    struct list *list = data;
    if (list->json) {
        text_member(list->out, before(list), "name", name);
        text_member(list->out, ",", "description", description);
        fxt_out_char(list->out, '}');
    } else {
        if (list->count == 0)
            heading(list, "Known categories");
        fxt_out_text(list->out, "  ");
        shown_string(list->out, name);
        fxt_out_text(list->out, *description != '\0' ? ": " : "");
        shown_string(list->out, description);
        fxt_out_char(list->out, '\n');
    }
    list->count++;
}

static enum exit_code ask_categories(trace_controller_t *controller, struct list *list)
{
    int error = trace_controller_get_known_categories(controller, add_category, list);
    if (error == 0)
        end_list(list, "no category is known; providers declare theirs, and trace-manager --config "
                       "describes more");
    return host_tell("the trace manager", error);
}

static enum exit_code query(const struct query_options *options,
                            enum exit_code (*ask)(trace_controller_t *, struct list *))
{
    struct output output;
    struct host host;
    if (!output_open(&output, options->common.output, NULL))
        return EXIT_IO;
    if (!options->json)
        output_tables(&output, options->common.colour);
    enum exit_code code = EXIT_FINDINGS;
    if (host_connect(&host, options->process)) {
        struct list list = {&output.out, options->json, output.styled, 0};
        code = ask(host.controller, &list);
        host_close(&host);
    }
    if (code == EXIT_CLEAN)
        return output_commit(&output);
    output_discard(&output);
    return code;
}

static enum exit_code status(const void *given)
{
    const struct query_options *options = given;
    enum exit_code code = query(options, ask_status);
    if (code == EXIT_CLEAN && options->process == 0)
        private_tell();
    return code;
}

static enum exit_code list_providers(const void *options)
{
    return query(options, ask_providers);
}

static enum exit_code list_categories(const void *options)
{
    return query(options, ask_categories);
}

static const struct query_options defaults;

static const struct option_spec query_options[] = {
    {"json", 'j', NULL, "print JSON", option_bool, offsetof(struct query_options, json)},
    OPTION_PID(struct query_options, process),
    OPTION_COLOR,
    OPTION_OUTPUT,
    OPTION_END,
};

const struct command command_status = {
    .name = "status",
    .title = "Prints the state of the recording.",
    .usage = "",
    .options = query_options,
    .operands = OPERANDS_NONE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = status,
};

const struct command command_list_providers = {
    .name = "list-providers",
    .title = "Lists the registered trace providers.",
    .usage = "",
    .options = query_options,
    .operands = OPERANDS_NONE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = list_providers,
};

const struct command command_list_categories = {
    .name = "list-categories",
    .title = "Lists the categories of the manager's configuration and of the providers.",
    .usage = "",
    .options = query_options,
    .operands = OPERANDS_NONE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = list_categories,
};
