/* Scripts of what several threads do with the engine, in an order that the script selects as well.
   The threads run under the explorer of proofs/interleave, one step of one thread at a time; a list
   of all records (engine/model.c) says what must be in the buffer.

   The input: a head of HEAD bytes, then steps of STEP_BYTES: what (enum step), whom and how. Steps
   of one thread are done in their order. SWITCH is a step of nobody: it says that after so many
   places where another thread could go on, one does (or this one loads an old value, or a signal
   handler runs). LIFE ends a process: tracing stops and the engine is initialized again; or the
   process is killed when it has stored so many words to its buffer, and a child goes on that it
   forked there. `fuzz/engine/script.py` prints an input. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/engine/model.h"
#include "fuzz/lib/oracle.h"
#include "proofs/interleave/host.h"

enum { HEAD = 4, STEP_BYTES = 3, STEPS_MAX = 160, THREADS_MAX = 4 };

/* Each is of thread byte 1; byte 2 says how. */
enum step {
    SWITCH,  /* bytes 1 and 2: how far, and the number of the choice */
    EVENT,   /* by one of a few call sites */
    NAMED,   /* an event with a name; which */
    FOREIGN, /* an event of another thread; which */
    BLOB,    /* how large */
    LARGE,   /* how large */
    RESERVE, /* a blob to fill in place; how large */
    COMMIT,  /* fills it */
    HOLD,    /* a context */
    RELEASE,
    END, /* of the thread, which may still trace */
    FLUSH,
    STOP,
    START, /* once it has stopped; the start mode */
    LIFE,  /* bytes 1 and 2: where it is killed, or 0 */
    STEPS
};

static struct {
    trace_buffering_mode_t mode;
    uint32_t buffer_bytes;
    int writers;
    bool junk; /* in the buffer before it is used */
    enum { SAVES, LIES, DEAD } manager;
    const uint8_t *steps; /* of this life */
    size_t count;
    uint32_t kill_after; /* stores to the buffer; 0: none */
    bool first;          /* life of the input */
} script;

/* A life. */
static bool running;
static uint32_t published;
static bool notified; /* of a half that is not saved yet */
static uint32_t full_wrapped;
static uint64_t full_durable_end;
static bool oneshot_is_full;
static bool is_late; /* the answer for a half that a start has cleared */
static uint32_t late_wrapped;
static uint64_t late_durable_end;

static struct writer {
    trace_context_t *held;
    uint32_t depth;
    uint8_t *place; /* of a blob that is to be filled */
    int place_id;
    uint64_t nested_drops; /* of signal handlers */
    uint64_t
        returned_drops; /* of all that it has dropped, ever: those of calls that have returned */
    uint64_t cleared_drops; /* those before the last start that cleared their count */
    uint32_t inside;        /* steps and contexts that are not over */
} writers[X_THREADS_MAX];

static uint32_t turns; /* steps and calls that began, by any thread */

/* Which choices are not 0: read from the steps, as far as they have been used. */
static size_t switch_at;
static uint32_t gap;
static uint32_t next_choice;

static void next_switch(void)
{
    next_choice = 0;
    for (; switch_at < script.count; switch_at++) {
        const uint8_t *step = script.steps + switch_at * STEP_BYTES;
        if (step[0] % STEPS != SWITCH)
            continue;
        gap = step[2];
        next_choice = 1 + step[1] % 7u;
        switch_at++;
        return;
    }
}

static int choose(int count)
{
    if (next_choice == 0)
        return 0;
    if (gap > 0) {
        gap--;
        return 0;
    }
    int chosen = (int)(next_choice % (uint32_t)count);
    next_switch();
    return chosen;
}

/* The handler. */

static void on_full(trace_handler_t *handler, uint32_t wrapped_count, uint64_t durable_data_end)
{
    (void)handler;
    if (host.stopped || notified)
        x_fail("told of half %u too late or too early", wrapped_count);
    model_hand_over(wrapped_count, durable_data_end);
    full_wrapped = wrapped_count;
    full_durable_end = durable_data_end;
    notified = true;
}

/* False if there is nothing to save. */
static bool save(void)
{
    if (!notified || host.starting || script.manager == DEAD)
        return false;
    model_unchanged(full_wrapped);
    if (script.manager == LIES &&
        ((is_late && trace_engine_mark_buffer_saved(late_wrapped, late_durable_end) == ZX_OK) ||
         trace_engine_mark_buffer_saved(full_wrapped + 2, full_durable_end) == ZX_OK ||
         trace_engine_mark_buffer_saved(full_wrapped, full_durable_end + 8) == ZX_OK))
        x_fail("a wrong answer is believed");
    model_unchanged(full_wrapped);
    model_saved(full_wrapped);
    notified = false;
    int old_before = x_old_values();
    if (trace_engine_mark_buffer_saved(full_wrapped, full_durable_end) == ZX_OK)
        return true;
    if (x_old_values() == old_before)
        x_fail("the right answer is refused");
    notified = true; /* it had not seen the start yet */
    return true;
}

/* Writing. */

static struct trace_i_site sites[2];

static void write_site(int id, uint8_t how)
{
    static const char *const names[] = {"e"};
    struct trace_i_site *site = &sites[how & 1];
    const trace_arg_value_t values[] = {trace_make_uint32_arg_value((uint32_t)id)};

    site->names = names;
    if (host_site_is_on(site, "e"))
        trace_i_event(site, "e", "e", FXT_EVENT_INSTANT, TRACE_SCOPE_THREAD, values, 1);
}

/* In oneshot mode, an event is left out by this program when a string finds no room. */
static void write_event(trace_context_t *context, int id)
{
    struct model_record *record = &model_records[id];
    char name[300] = "e";
    trace_string_ref_t refs[2];
    trace_thread_ref_t thread;
    uint32_t length = record->kind == MODEL_NAMED ? model_name(name, record->text) : 1;

    trace_context_register_string_literal(context, "e", &refs[0]);
    trace_context_register_string_copy(context, name, length, &refs[1]);
    if (record->kind == MODEL_FOREIGN)
        trace_context_register_thread(context, MODEL_PROCESS, record->text, &thread);
    else
        trace_context_register_current_thread(context, &thread);
    const trace_arg_t args[] = {trace_make_arg(refs[0], trace_make_uint32_arg_value((uint32_t)id))};
    if (refs[0].encoded_value == 0 || refs[1].encoded_value == 0)
        record->excused = true;
    else
        trace_context_write_instant_event_record(context, trace_get_ticks(), &thread, &refs[0],
                                                 &refs[1], TRACE_SCOPE_THREAD, args, 1);
}

static void fill(uint8_t *bytes, int id, uint64_t size)
{
    uint64_t number = (uint64_t)id;

    memset(bytes, (uint8_t)(number ^ 0x5a), size);
    memcpy(bytes, &number, 8);
}

static void write_blob(trace_context_t *context, int id)
{
    static uint8_t bytes[X_THREADS_MAX][2 * MODEL_BUFFER_MAX];
    uint8_t *mine = bytes[x_this_thread()];
    const trace_string_ref_t name = trace_make_inline_string_ref("b", 1);
    const struct model_record *record = &model_records[id];

    fill(mine, id, record->bytes);
    if (record->kind == MODEL_LARGE)
        trace_context_write_blob_attachment_record(context, &name, &name, mine, record->bytes);
    else
        trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, mine, record->bytes);
}

static void fill_place(struct writer *writer)
{
    if (writer->place != NULL)
        fill(writer->place, writer->place_id, model_records[writer->place_id].bytes);
    writer->place = NULL;
}

static void release(struct writer *writer)
{
    fill_place(writer);
    for (; writer->depth > 0; writer->depth--) {
        trace_release_context(writer->held);
        writer->inside--;
    }
}

static void reserve(struct writer *writer, trace_context_t *context, int id)
{
    const trace_string_ref_t name = trace_make_inline_string_ref("b", 1);

    writer->place_id = id;
    writer->place = trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_LAST_BRANCH,
                                                          &name, model_records[id].bytes);
    if (writer->place != NULL)
        memcpy(writer->place, &(uint64_t){(uint64_t)id}, 8);
}

static void write_record(struct writer *writer, int id, uint8_t how)
{
    enum model_kind kind = model_records[id].kind;

    if (kind == MODEL_EVENT) {
        write_site(id, how);
        return;
    }
    trace_context_t *context = trace_acquire_context();
    if (context == NULL)
        return;
    if (kind == MODEL_PLACE)
        reserve(writer, context, id);
    else if (kind == MODEL_BLOB || kind == MODEL_LARGE)
        write_blob(context, id);
    else
        write_event(context, id);
    trace_release_context(context);
}

static uint32_t wrapped_now(void)
{
    uint64_t word;
    memcpy(&word, model_buffer + 8, 8);
    return (uint32_t)(word >> 32);
}

/* A record's own bytes beside its payload; events are not longer than this. */
#define BESIDE 400u

/* Drops. */

static uint64_t drops_before_clear; /* all that were counted when a start cleared their count */

static uint64_t drops_of(int thread)
{
    return ((const struct trace_context *)x_own(thread))->drops;
}

static void count_drops(struct writer *writer, uint64_t more, bool handler)
{
    writer->returned_drops = handler ? writer->returned_drops + more : fxt_i_this_thread.drops;
}

static struct model_drops all_drops(void)
{
    struct model_drops all = {.cleared = drops_before_clear};

    for (int i = 0; i <= script.writers; i++) {
        uint64_t cleared = writers[i].cleared_drops;
        uint64_t returned = writers[i].returned_drops;
        returned = returned > cleared ? returned : cleared;
        all.returned += returned - cleared;
        all.begun += drops_of(i) - returned;
    }
    return all;
}

/* Nobody drops a record meanwhile: a stop waits for who does. */
static void clear_drops(void)
{
    const struct model_drops all = all_drops();

    drops_before_clear = all.returned + all.begun;
    for (int i = 0; i <= script.writers; i++)
        writers[i].cleared_drops = drops_of(i);
}

static bool nobody_is_inside(const struct writer *but)
{
    for (int i = 0; i <= script.writers; i++)
        if (&writers[i] != but && writers[i].inside > 0)
            return false;
    return true;
}

/* A record that fits finds room in a circular buffer if nobody is inside but its thread. A oneshot
   buffer that has no room for such a record is full: it takes none until the next start. While
   others write, a definition of theirs may have taken the room. A thread that ended inside a context
   finds no room: it is `shut_out`. */
static void check_drop(const struct model_record *record, bool alone, bool shut_out, bool was_full)
{
    bool fits = record->bytes + BESIDE <= fxt_i_engine.header.rolling_size &&
                (record->kind == MODEL_LARGE || record->bytes <= TRACE_BLOB_MAX_SIZE);

    bool oneshot = script.mode == TRACE_BUFFERING_MODE_ONESHOT;

    if (shut_out && !record->dropped)
        x_fail("a record is written by a thread that ended inside a context");
    if (oneshot && was_full && !record->dropped)
        x_fail("a record is written once the buffer was full");
    if (!fits || !record->dropped || shut_out)
        return;
    if (alone && script.mode == TRACE_BUFFERING_MODE_CIRCULAR)
        x_fail("a record of %u bytes is dropped though nobody else writes",
               (unsigned)record->bytes);
    if (oneshot && fxt_i_engine.full.value == 0)
        x_fail("a record of %u bytes is dropped though there is room", (unsigned)record->bytes);
    oneshot_is_full = oneshot_is_full || (oneshot && alone);
}

static void do_record(struct model_record record, uint8_t how)
{
    struct writer *writer = &writers[x_this_thread()];
    uint64_t drops = fxt_i_this_thread.drops;
    uint64_t nested = writer->nested_drops;
    int changes_before = host.changes;
    uint32_t turns_before = ++turns;
    int old_before = x_old_values();
    bool was_full = oneshot_is_full;
    bool alone = nobody_is_inside(writer) && writer->place == NULL && writer->depth == 0;
    bool off = host_is_off();
    bool shut_out = fxt_i_this_thread.ending && fxt_i_this_thread.busy;

    record.thread = x_this_thread();
    record.wrapped = wrapped_now();
    int id = model_add(record);
    if (id < 0)
        return;
    write_record(writer, id, how);
    struct model_record *now = &model_records[id];
    uint64_t more = fxt_i_this_thread.drops - drops - (writer->nested_drops - nested);
    off = off || host_is_off() || host.changes != changes_before;
    now->excused = now->excused || off || (host.changes > 0 && x_old_values() != old_before);
    now->returned = true;
    now->dropped = more > 0;
    if (more > 1)
        x_fail("record %d is dropped %u times", id, (unsigned)more);
    count_drops(writer, more, record.handler);
    if (record.handler)
        writer->nested_drops += more;
    else if (!now->excused) {
        /* It may not have seen yet that another has left. */
        bool sees_all = x_old_values() == old_before;
        check_drop(now, alone && turns == turns_before && sees_all, shut_out, was_full);
    }
}

static void interrupt(int thread)
{
    (void)thread;
    do_record((struct model_record){.kind = MODEL_EVENT, .handler = true}, 0);
}

/* Sizes of payloads around those of chunks, halves and records. */
static uint64_t size_of(uint8_t how)
{
    uint64_t half = fxt_i_engine.header.rolling_size;
    uint64_t chunk = fxt_i_engine.ring.chunk_bytes;
    const uint64_t around[] = {
        128, chunk, 2 * chunk, half / 2, half - chunk, half, TRACE_ENCODED_RECORD_MAX_LENGTH, 4096};
    uint64_t size = around[how >> 5] + 8 * (how & 31u);
    return size > 128 + 8 ? size - 128 : 8;
}

/* Only if the durable part has a word of room can the engine tell the two halves apart. */
static void forget_full(void)
{
    if (notified) {
        is_late = full_durable_end < fxt_i_engine.header.durable_size;
        late_wrapped = full_wrapped;
        late_durable_end = full_durable_end;
    }
    notified = false;
}

static void start(uint8_t how)
{
    trace_start_mode_t mode = (trace_start_mode_t)(TRACE_START_CLEAR_ENTIRE_BUFFER + how % 3);
    bool entire =
        mode == TRACE_START_CLEAR_ENTIRE_BUFFER || (mode == TRACE_START_CLEAR_NONDURABLE_BUFFER &&
                                                    script.mode == TRACE_BUFFERING_MODE_ONESHOT);

    while (fxt_i_engine.state.value != TRACE_STARTED && !host.stopped)
        x_yield();
    if (!host.stopped || host.starting)
        return;
    if (mode != TRACE_START_RETAIN_BUFFER)
        forget_full();
    if (entire) {
        oneshot_is_full = false;
        clear_drops();
    }
    model_started(mode != TRACE_START_RETAIN_BUFFER);
    host_start(mode);
}

/* A context that cannot be had is a drop, since its caller would write. */
static void hold(struct writer *writer)
{
    uint64_t drops = fxt_i_this_thread.drops;
    uint64_t nested = writer->nested_drops;
    trace_context_t *context = writer->depth < 3 ? trace_acquire_context() : NULL;
    uint64_t more = fxt_i_this_thread.drops - drops - (writer->nested_drops - nested);

    count_drops(writer, more, false);
    if (context == NULL)
        return;
    writer->held = context;
    writer->depth++;
    writer->inside++;
}

static void do_step(struct writer *writer, enum step what, uint8_t how)
{
    switch (what) {
    case EVENT:
        do_record((struct model_record){.kind = MODEL_EVENT}, how);
        break;
    case NAMED:
        do_record((struct model_record){.kind = MODEL_NAMED, .text = how}, how);
        break;
    case FOREIGN:
        do_record((struct model_record){.kind = MODEL_FOREIGN, .text = 1000u + how}, how);
        break;
    case BLOB:
        do_record((struct model_record){.kind = MODEL_BLOB, .bytes = size_of(how)}, how);
        break;
    case LARGE:
        do_record((struct model_record){.kind = MODEL_LARGE, .bytes = size_of(how)}, how);
        break;
    case RESERVE: /* its context is held until it is filled */
        fill_place(writer);
        if (writer->depth > 0)
            do_record((struct model_record){.kind = MODEL_PLACE, .bytes = size_of(how)}, how);
        break;
    case COMMIT:
        fill_place(writer);
        break;
    case HOLD:
        hold(writer);
        break;
    case RELEASE:
        release(writer);
        break;
    case END: /* its destructors may fill what it has reserved */
        fxt_i_thread_ends(&fxt_i_this_thread);
        break;
    case FLUSH:
        trace_engine_flush_buffer();
        break;
    case STOP:
        trace_engine_stop(ZX_OK);
        break;
    case START:
        if (writer->depth == 0)
            start(how);
        break;
    default:
        break;
    }
}

static void run(int thread)
{
    if (thread == 0) {
        host_dispatch(save);
        return;
    }
    for (size_t i = 0; i < script.count; i++) {
        const uint8_t *step = script.steps + i * STEP_BYTES;
        if (step[0] % STEPS == SWITCH || 1 + step[1] % script.writers != thread)
            continue;
        turns++;
        writers[thread].inside++;
        do_step(&writers[thread], (enum step)(step[0] % STEPS), step[2]);
        writers[thread].inside--;
    }
    release(&writers[thread]);
    host_ends();
}

static bool is_chunk(uint64_t at)
{
    const struct fxt_buffer_header *header = &fxt_i_engine.header;
    uint64_t parts = FXT_BUFFER_HEADER_BYTES + header->durable_size;
    return at >= parts && (at - parts) % header->rolling_size % fxt_i_engine.ring.chunk_bytes == 0;
}

/* Who reads meanwhile finds heads of leases where it looks for them. */
static void on_publish(const uint64_t *word, uint64_t value)
{
    uint64_t at = (uint64_t)((const uint8_t *)word - model_buffer);

    (void)value;
    if (running && (at < FXT_BUFFER_HEADER_BYTES || is_chunk(at)))
        model_look();
    if (running && ++published == script.kill_after)
        x_kill();
}

/* Lives. */

/* As if the process had just begun. */
static void forget_all(void)
{
    x_forget_process();
    bool is_own = fxt_i_engine.is_own;
    memset(&fxt_i_engine, 0, offsetof(struct fxt_i_engine, rest_of_page));
    fxt_i_engine.is_own = is_own;
    memset(sites, 0, sizeof sites);
    x_forget_own();
}

static void begin(void)
{
    if (script.first)
        forget_all();
    script.first = false;
    for (size_t i = 0; i < script.buffer_bytes; i += 8)
        memcpy(model_buffer + i, &(uint64_t){script.junk ? 0x24 : 0}, 8);
    model_begin(script.buffer_bytes);
    memset(writers, 0, sizeof writers);
    published = 0;
    notified = oneshot_is_full = is_late = false;
    turns = 0;
    switch_at = 0;
    gap = 0;
    next_switch();
    host_begin(script.writers, script.mode, model_buffer, script.buffer_bytes, on_full);
    for (int i = 0; i <= script.writers; i++)
        writers[i].returned_drops = drops_of(i);
    clear_drops();
    running = true;
}

static void end(void)
{
    running = false;
    if (!host.stopped)
        trace_engine_stop(ZX_OK);
    host_run_until(&host.stopped);
    const struct model_drops drops = all_drops();
    if (drops.begun != 0)
        x_fail("%u drops are of no call", (unsigned)drops.begun);
    model_end(false, false, &drops);
    trace_engine_terminate();
    host_run_until(&host.terminated);
}

/* False if the next one cannot go on from it. */
static bool live(void)
{
    const struct x_program program = {
        .name = "script",
        .threads = 1 + script.writers,
        .preemptions = 1000,
        .stales = 4,
        .signals = 4,
        .own = &fxt_i_this_thread,
        .own_bytes = sizeof fxt_i_this_thread,
        .begin = begin,
        .end = end,
        .run = run,
        .signal = interrupt,
        .published = on_publish,
    };
    if (x_run_once(&program, choose))
        return true;
    running = false;
    const struct model_drops drops = all_drops();
    model_end(true, host.starting, &drops);
    if (fxt_i_engine.life_lock.value != 0 || fxt_i_engine.site_lock.value != 0)
        return false; /* no fork waits there */
    x_become_child();
    x_forget_own();
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const uint32_t pages[] = {1, 2, 4, 16};
    size_t count = size < HEAD ? 0 : (size - HEAD) / STEP_BYTES;

    if (count == 0)
        return 0;
    if (count > STEPS_MAX)
        count = STEPS_MAX;
    script.mode = (trace_buffering_mode_t)(bytes[0] % 3);
    script.junk = (bytes[0] & 0x40) != 0;
    script.manager = (bytes[0] >> 4 & 3) % 3;
    fxt_i_fences_are_light = (bytes[0] & 0x80) == 0;
    script.buffer_bytes = 4096 * pages[bytes[1] & 3];
    script.writers = 1 + (bytes[1] >> 2) % THREADS_MAX;
    script.first = true;
    bool goes_on = true;
    for (size_t at = 0; at < count && goes_on;) {
        script.steps = bytes + HEAD + at * STEP_BYTES;
        script.count = 0;
        script.kill_after = bytes[2] + 256u * bytes[3];
        for (; at < count; script.count++) {
            const uint8_t *step = bytes + HEAD + at++ * STEP_BYTES;
            if (step[0] % STEPS == LIFE) {
                script.kill_after = step[1] + 256u * step[2];
                break;
            }
        }
        goes_on = live();
    }
    return 0;
}
