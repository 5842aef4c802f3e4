/* The passes over a trace; see edit.h. struct edit is the state. */
#include "src/tools/fxt/edit/edit.h"

#include "src/cli/output.h"
#include "src/tools/fxt/edit/notes.h"

#define STACK_MAX 1024u

enum {
    NOTE_NEEDED_STRAY = 0x20, /* as one around a stray, as those around it are */
    NOTE_NEEDED = 0x40, /* as a complete duration, or as an open begin, as those below it are */
    NOTE_REFUSED = 0x80,
};

struct edit {
    struct selector *selector;
    struct edit_sink *sink; /* or NULL */
    struct operations *operations;
    struct notes notes;
    struct walk walk;
    struct stream *stream;
    const struct options *options;
    struct fxt_out *out;
    uint64_t stayed;   /* records that do not stay in every part */
    bool is_pointless; /* nothing is selected */
    bool lacks;        /* a flow may lack the durations that enclose its events */
};

typedef void take_fn(struct edit *edit, const struct item *item, struct operation operation);

static uint8_t note_of(struct edit *edit, const struct item *item, struct operation operation)
{
    if (operation.number != OPERATION_NONE)
        return notes_get(&edit->notes, operation.number);
    return edit->selector->note(edit->selector, &edit->walk, item, true);
}

/* Whether the selector keeps the record, whatever else needs it. */
static bool is_selected(struct edit *edit, const struct item *item, struct operation operation)
{
    return edit->selector->keeps(edit->selector, item,
                                 note_of(edit, item, operation) & NOTE_SELECTOR,
                                 operation.number == OPERATION_NONE);
}

static bool stays(struct edit *edit, const struct item *item, struct operation operation)
{
    if (item_is_definition(item))
        return true;
    uint8_t note = note_of(edit, item, operation);
    if ((note & NOTE_REFUSED) != 0)
        return false;
    return (note & (NOTE_NEEDED | NOTE_NEEDED_STRAY)) != 0 || is_selected(edit, item, operation);
}

/* ---- survey and look */

static void survey(struct edit *edit, const struct item *item, struct operation operation)
{
    (void)operation;
    edit->selector->survey(edit->selector, &edit->walk, item);
}

static void look(struct edit *edit, const struct item *item, struct operation operation)
{
    if (edit->selector->look != NULL)
        edit->selector->look(edit->selector, &edit->walk, item);
    if (operation.number == OPERATION_NONE && operation.stray == 0)
        return;
    uint8_t note = edit->selector->note(edit->selector, &edit->walk, item, operation.ends);
    if (operation.stray != 0) {
        edit->operations->strays[operation.stray].note = note;
        return;
    }
    notes_add(&edit->notes, operation.number, note & NOTE_SELECTOR);
    if (item_is_flow(item) && !edit->lacks)
        edit->lacks =
            edit->selector->lacks(edit->selector, notes_get(&edit->notes, operation.number));
}

/* What the strays add to the notes of their operations. */
static void look_at_strays(struct edit *edit)
{
    const struct operations_stray *strays = edit->operations->strays;
    for (uint32_t i = 1; i <= edit->operations->stray_count; i++)
        if (strays[i].operation != OPERATION_NONE)
            notes_add(&edit->notes, strays[i].operation, strays[i].note & NOTE_SELECTOR);
}

/* ---- enclose */

/* A duration begin or a complete duration, by the note of its operation. */
static bool duration_stays(struct edit *edit, uint64_t operation)
{
    const struct item duration = {
        .kind = FXT_KIND_EVENT, .any.event.event_type = FXT_EVENT_DURATION_BEGIN, .timed = true};
    return stays(edit, &duration, (struct operation){operation, NULL, false, 0});
}

/* False: it has that bit already. */
static bool need(struct edit *edit, uint64_t operation, uint8_t bit)
{
    if ((notes_get(&edit->notes, operation) & bit) != 0)
        return false;
    notes_add(&edit->notes, operation, bit);
    return true;
}

/* The durations of a thread around a time: the open begins, and those that end with a stray. False:
   there are none. */
static bool need_stack(struct edit *edit, const struct operations_thread *thread, uint64_t time)
{
    const struct operations *operations = edit->operations;
    uint32_t open = operations_open_around(operations, thread, time);
    uint32_t stray = operations_stray_around(operations, thread, time);
    bool has_stack = open != 0 || stray != 0;
    while (open != 0 && need(edit, operations->opens[open].operation, NOTE_NEEDED))
        open = operations->opens[open].next;
    while (stray != 0 && need(edit, operations->strays[stray].operation, NOTE_NEEDED_STRAY))
        stray = operations->strays[stray].around;
    return has_stack;
}

/* Looks at the STACK_MAX innermost ones of each kind. */
static bool is_in_stack(struct edit *edit, const struct operations_thread *thread, uint64_t time)
{
    const struct operations *operations = edit->operations;
    uint32_t open = operations_open_around(operations, thread, time);
    uint32_t stray = operations_stray_around(operations, thread, time);
    for (unsigned depth = 0; depth < STACK_MAX && (open != 0 || stray != 0); depth++) {
        if ((open != 0 && duration_stays(edit, operations->opens[open].operation)) ||
            (stray != 0 && duration_stays(edit, operations->strays[stray].operation)))
            return true;
        open = operations->opens[open].next;
        stray = operations->strays[stray].around;
    }
    return false;
}

static bool contains(const struct operations_span *span, uint64_t time)
{
    return span->begin <= time && time <= span->end;
}

/* Whether a complete duration encloses the time, and stays or comes to stay. */
static bool takes_in(struct edit *edit, const struct operations_span *span, uint64_t time)
{
    if (!contains(span, time))
        return false;
    if (duration_stays(edit, span->operation))
        return true;
    if (edit->selector->refuses)
        return false;
    notes_add(&edit->notes, span->operation, NOTE_NEEDED);
    return true;
}

static bool is_in_recent(struct edit *edit, const struct operations_thread *thread, uint64_t time)
{
    uint32_t count =
        thread->recent_count < OPERATIONS_RECENT ? thread->recent_count : OPERATIONS_RECENT;
    bool is_in = false;
    for (uint32_t i = 0; i < count; i++)
        is_in = takes_in(edit, &thread->recent[i], time) || is_in;
    return is_in;
}

static void refuse(struct edit *edit, const struct operations_flow *flow)
{
    if (edit->selector->refuses && !flow->is_enclosed)
        notes_add(&edit->notes, flow->operation, NOTE_REFUSED);
}

/* The oldest that waits gives way. */
static void await(struct edit *edit, struct operations_thread *thread, struct operations_flow flow)
{
    if (thread->waiting_count == OPERATIONS_WAITING) {
        if (!thread->waiting[0].is_enclosed)
            edit->operations->full = true;
        refuse(edit, &thread->waiting[0]);
        memmove(thread->waiting, thread->waiting + 1,
                (OPERATIONS_WAITING - 1) * sizeof *thread->waiting);
        thread->waiting_count--;
    }
    thread->waiting[thread->waiting_count++] = flow;
}

/* All durations around the event come to stay. If the selector refuses, one that stays is enough. */
static void enclose_flow(struct edit *edit, const struct item *item, struct operation operation)
{
    struct operations_thread *thread = operation.thread;
    struct operations_flow flow = {operation.number, item->ticks, false};
    if (operation.number == OPERATION_NONE)
        return;
    flow.is_enclosed = edit->selector->refuses ? is_in_stack(edit, thread, item->ticks)
                                               : need_stack(edit, thread, item->ticks);
    flow.is_enclosed = is_in_recent(edit, thread, item->ticks) || flow.is_enclosed;
    if (!edit->selector->refuses || !flow.is_enclosed)
        await(edit, thread, flow);
}

static void enclose_waiting(struct edit *edit, const struct item *item, struct operation operation)
{
    struct operations_thread *thread = operation.thread;
    const struct operations_span span = {operation.number, item->ticks, item->end_ticks};
    for (uint32_t i = 0; i < thread->waiting_count; i++)
        if (takes_in(edit, &span, thread->waiting[i].time))
            thread->waiting[i].is_enclosed = true;
    thread->recent[thread->recent_count++ % OPERATIONS_RECENT] = span;
}

/* The begins and ends have come to this time: what is open encloses the times up to it. */
static void settle(void *context, struct operations_thread *thread, uint64_t time)
{
    struct edit *edit = context;
    uint32_t left = 0;
    for (uint32_t i = 0; i < thread->ahead_count; i++)
        if (thread->ahead[i] <= time)
            need_stack(edit, thread, thread->ahead[i]);
        else
            thread->ahead[left++] = thread->ahead[i];
    thread->ahead_count = left;
}

/* The stack of a time that begins and ends have not reached is not known yet. Of too many such times
   it is taken as it is. */
static void need_stack_at(struct edit *edit, struct operations_thread *thread, uint64_t time)
{
    if (time < thread->durations.latest || thread->ahead_count == OPERATIONS_AHEAD)
        need_stack(edit, thread, time);
    else if (thread->ahead_count == 0 || thread->ahead[thread->ahead_count - 1] != time)
        thread->ahead[thread->ahead_count++] = time;
}

static void enclose(struct edit *edit, const struct item *item, struct operation operation)
{
    if (!item_is_event(item) || operation.thread == NULL)
        return;
    bool is_kept = stays(edit, item, operation);
    if (edit->selector->always_encloses && is_selected(edit, item, operation))
        need_stack_at(edit, operation.thread, item->ticks);
    if (is_kept && item_is_flow(item))
        enclose_flow(edit, item, operation);
    else if (item->complete)
        enclose_waiting(edit, item, operation);
}

/* At the end of a trace nothing encloses the flows that wait. */
static void end_enclosing(struct edit *edit)
{
    struct operations_thread *thread;
    for (uint32_t i = edit->operations->thread_count; i-- > 0;) {
        thread = &edit->operations->threads[i];
        settle(edit, thread, UINT64_MAX);
        for (uint32_t flow = 0; flow < thread->waiting_count; flow++)
            refuse(edit, &thread->waiting[flow]);
    }
}

/* ---- copy */

static void copy(struct edit *edit, const struct item *item, struct operation operation)
{
    struct item_patch patches[2];
    unsigned count = 0;
    if (!stays(edit, item, operation))
        return;
    edit->stayed += !item_is_definition(item) && (item->timed || !edit->selector->keeps_untimed);
    if (edit->selector->patch != NULL)
        count = edit->selector->patch(edit->selector, &edit->walk, item, patches);
    if (edit->sink == NULL) {
        item_write(edit->out, item->record, patches, count);
        return;
    }
    item_patch(edit->stream, item->record, patches, count);
    edit->sink->take(edit->sink, item->record);
}

/* ---- search */

static void search(struct edit *edit, const struct item *item, struct operation operation)
{
    (void)operation;
    edit->selector->search(edit->selector, &edit->walk, item);
}

/* ---- passes */

static enum exit_code pass(struct edit *edit, take_fn *take, bool is_first, bool reports)
{
    static struct item item;
    struct operations *operations = edit->operations;
    if (!is_first && !stream_rewind(edit->stream))
        return EXIT_IO;
    if (!walk_begin(&edit->walk, edit->stream, edit->options, reports))
        return EXIT_IO;
    operations_reset(operations, &edit->walk.tables);
    operations->before = take == enclose ? settle : NULL;
    operations->context = edit;
    while (!edit->out->failed && !edit->notes.failed && walk_next(&edit->walk, &item)) {
        if (item.kind == FXT_KIND_MAGIC && take == enclose)
            end_enclosing(edit);
        take(edit, &item, operations_take(operations, &item));
    }
    if (take == enclose)
        end_enclosing(edit);
    operations_end(operations);
    if (take == look)
        look_at_strays(edit);
    return edit->notes.failed ? EXIT_IO : walk_end(&edit->walk);
}

static enum exit_code report_full(const struct edit *edit)
{
    if (!edit->operations->full)
        return EXIT_CLEAN;
    message("%s: the trace has more threads, open durations or ids than memory is given for: some "
            "begins and ends are judged by themselves",
            edit->stream->input.raw.name);
    return EXIT_FINDINGS;
}

static enum exit_code judge(struct edit *edit)
{
    struct selector *selector = edit->selector;
    bool searches = edit->stayed == 0 && selector->search != NULL;
    if (searches && pass(edit, search, false, false) == EXIT_IO)
        return EXIT_IO;
    if (stream_failed(edit->stream)) /* perhaps the rest of the trace has what was selected */
        return EXIT_IO;
    edit->is_pointless = !selector->judge(selector, edit->stream->input.raw.name, edit->stayed);
    return edit->is_pointless ? EXIT_FINDINGS : EXIT_CLEAN;
}

static enum exit_code passes(struct edit *edit)
{
    struct selector *selector = edit->selector;
    bool is_first = selector->survey == NULL;
    if (!is_first && pass(edit, survey, true, false) == EXIT_IO)
        return EXIT_IO;
    if (!selector->ready(selector))
        return EXIT_USAGE;
    if (pass(edit, look, is_first, false) == EXIT_IO)
        return EXIT_IO;
    if ((edit->lacks || selector->always_encloses) && pass(edit, enclose, false, false) == EXIT_IO)
        return EXIT_IO;
    enum exit_code code = exit_worse(pass(edit, copy, false, true), report_full(edit));
    return code == EXIT_IO || edit->out->failed ? code : exit_worse(code, judge(edit));
}

static enum exit_code edit_stream(struct edit *edit)
{
    edit->operations = operations_new();
    enum exit_code code = EXIT_IO;
    if (edit->operations != NULL && notes_open(&edit->notes, edit->stream->input.raw.name))
        code = passes(edit);
    notes_close(&edit->notes);
    operations_free(edit->operations);
    return code;
}

static enum exit_code edit_to_sink(struct edit *edit)
{
    struct edit_sink *sink = edit->sink;
    if (sink == NULL)
        return edit_stream(edit);
    if (!sink->begin(sink, edit->out, edit->stream->input.raw.name))
        return EXIT_IO;
    enum exit_code code = edit_stream(edit);
    return exit_worse(code, sink->end(sink));
}

static bool open_output(struct output *output, const struct options *options, bool is_trace)
{
    return is_trace ? output_open_trace(output, options->output)
                    : output_open(output, options->output, &options->operands);
}

enum exit_code edit_run(struct selector *selector, const struct options *options,
                        struct edit_sink *sink)
{
    struct output output;
    struct stream stream;
    struct edit edit = {.selector = selector,
                        .sink = sink,
                        .stream = &stream,
                        .options = options,
                        .out = &output.out,
                        .notes.fd = -1};
    if (!open_output(&output, options, sink == NULL))
        return EXIT_IO;
    enum exit_code code = stream_open_kept(&stream, options->operands.it[0], options);
    if (code != EXIT_CLEAN) {
        output_discard(&output);
        return code;
    }
    code = edit_to_sink(&edit);
    code = exit_worse(code, stream_close(&stream));
    bool stays =
        code < EXIT_USAGE && edit.is_pointless && output_replaces(&output, &options->operands);
    if (stays)
        message("%s: stays as it is", output.name);
    return output_end(&output, code, code != EXIT_USAGE && !stays);
}
