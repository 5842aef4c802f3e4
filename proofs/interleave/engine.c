/* The shipped engine under the explorer: small programs of threads that trace, with a dispatcher
   that saves, stops and starts. What must hold:

   - wherever all threads are killed, the buffer's header is valid, and salvaging the parts up to
     their data ends finds whole records, each once, with the strings and threads that they refer to; and every record whose
     call had returned, unless it was dropped or its half is used again;
   - a record that is not in the buffer in the end was saved, or dropped and counted, or its half
     was used again (circular), or tracing was being stopped;
   - nobody writes to a half while the handler has it, nor to the buffer once it was told that
     tracing has stopped;
   - nothing waits for ever.

   A thread's program is a word, a letter for each thing it does: see do_one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/buffer.h>
#include <fxt/read.h>

#include "proofs/interleave/host.h"

enum {
    BUFFER = 4096,
    IDS_A_THREAD = 32,
    IDS = IDS_A_THREAD * (X_THREADS_MAX + 1), /* the last ones are the signal handler's */
    TINY_BLOB = 8,
    SMALL_BLOB = 96,
    LARGE_BLOB = 1312,
};

struct scenario {
    const char *name;
    trace_buffering_mode_t mode;
    const char *before;             /* what threads do before: "1e 2b" */
    const char *run[X_THREADS_MAX]; /* [0]: what the dispatcher does besides */
    enum {
        PLAIN,
        SIGNALS,      /* one interrupts; nobody sees an old value */
        SWITCHES,     /* one more preemption; nobody sees an old value */
        HEAVY_FENCES, /* the kernel cannot fence other threads */
    } with;
};

static const struct scenario *scenario;
static int writers;

/* What is known of each record. */
static struct record {
    char what; /* see do_one */
    bool begun;
    bool returned;
    bool published;
    bool excused; /* tracing was being stopped or started, or was off */
    bool gone;    /* its half was used again */
    bool saved;
    int half;
} records[IDS];

static int next_id[X_THREADS_MAX + 1];
static bool checks_kills;
static uint64_t prolonged_place;   /* a thread that has a prolonged context uses it */
static int writing[X_THREADS_MAX]; /* the id of this thread's record, or -1 */

static uint8_t buffer[BUFFER] __attribute__((aligned(64)));
static uint64_t drops[X_THREADS_MAX]; /* that this thread's records have seen counted */

/* Reading. */

static int found[IDS];
static struct fxt_bytes strings[64];
static uint64_t threads_seen[64];

/* Killed, a thread may leave a blob in place that is not written yet. */
static bool blobs_are_whole;

static void is_text(struct fxt_string_ref ref, const char *text)
{
    if (ref.ref >= FXT_STRING_INLINE) {
        if (ref.ref - FXT_STRING_INLINE != strlen(text) ||
            memcmp(ref.bytes, text, strlen(text)) != 0)
            x_fail("an inline string that is not %s", text);
        return;
    }
    if (ref.ref == 0 || ref.ref >= 64 || strings[ref.ref].bytes == NULL)
        x_fail("a reference to string %u, which is not there", ref.ref);
    if (strings[ref.ref].size != strlen(text) ||
        memcmp(strings[ref.ref].bytes, text, strlen(text)) != 0)
        x_fail("string %u is not %s", ref.ref, text);
}

static int thread_of(int id)
{
    return id / IDS_A_THREAD;
}

static void find(uint64_t id)
{
    if (id >= IDS || !records[id].begun)
        x_fail("record %" PRIu64 " was never written", id);
    if (++found[id] > 1)
        x_fail("record %" PRIu64 " twice", id);
}

static void read_event(const struct fxt_event *event)
{
    struct fxt_arg arg;
    struct fxt_error error;
    struct fxt_args args = event->args;
    char name[16];

    if (fxt_args_next(&args, &arg, &error) != FXT_OK)
        x_fail("an event without its argument");
    find(arg.value);
    int id = (int)arg.value;
    if (records[id].what == 'n')
        snprintf(name, sizeof name, "n%d", id);
    else
        snprintf(name, sizeof name, "%c", records[id].what);
    is_text(event->category, "e");
    is_text(event->name, name);
    is_text(arg.name, "e");
    if (event->thread.ref >= 64)
        x_fail("thread %u", event->thread.ref);
    uint64_t thread =
        event->thread.ref == 0 ? event->thread.thread : threads_seen[event->thread.ref];
    if (thread_of(id) < X_THREADS_MAX && thread != 100 + (uint64_t)thread_of(id))
        x_fail("record %d is of thread %" PRIu64, id, thread);
}

static void read_blob(const struct fxt_blob *blob)
{
    const uint8_t *bytes = blob->payload.bytes;

    is_text(blob->name, "b");
    if (blob->payload.size != TINY_BLOB && blob->payload.size != SMALL_BLOB &&
        blob->payload.size != LARGE_BLOB)
        x_fail("a blob of %" PRIu64 " bytes", blob->payload.size);
    if (blob->blob_type == TRACE_BLOB_TYPE_LAST_BRANCH && !blobs_are_whole)
        return;
    find(bytes[0]);
    for (uint64_t i = 1; i < blob->payload.size; i++)
        if (bytes[i] != bytes[0])
            x_fail("a torn blob");
}

static void read_string(const struct fxt_string *string)
{
    static const char *const known[] = {"b", "d", "e", "process"};
    const char *text = (const char *)string->value.bytes;
    bool right = string->value.size > 1 && text[0] == 'n';

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        right = right || (string->value.size == strlen(known[i]) &&
                          memcmp(text, known[i], strlen(known[i])) == 0);
    if (!right || string->index >= 64)
        x_fail("string %u is none that was written", string->index);
    strings[string->index] = string->value;
}

static void read_thread(const struct fxt_thread *thread)
{
    if (thread->process != 99 || thread->thread < 100 || thread->index >= 64)
        x_fail("thread %u is none that was written", thread->index);
    threads_seen[thread->index] = thread->thread;
}

static void read_record(const struct fxt_record *record)
{
    struct fxt_error error;
    struct fxt_event event;
    struct fxt_blob blob;
    struct fxt_string string;
    struct fxt_thread thread;

    if (fxt_read_event(record, &event, &error) == FXT_OK)
        read_event(&event);
    else if (fxt_read_blob(record, &blob, &error) == FXT_OK)
        read_blob(&blob);
    else if (fxt_read_string(record, &string, &error) == FXT_OK)
        read_string(&string);
    else if (fxt_read_thread(record, &thread, &error) == FXT_OK)
        read_thread(&thread);
    else if (record->type != FXT_RECORD_METADATA && record->type != FXT_RECORD_INITIALIZATION &&
             record->type != FXT_RECORD_LARGE && record->type != FXT_RECORD_KERNEL_OBJECT)
        x_fail("a record of type %u: %s", record->type, fxt_rule_id(error.rule));
}

static void read_span(const uint8_t *bytes, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK)
        read_record(&record);
    if (status != FXT_END)
        x_fail("no record at %" PRIu64 " of %" PRIu64 ": %s", error.offset, size,
               fxt_rule_id(error.rule));
}

static void salvage(const uint8_t *part, uint64_t size, uint32_t chunk)
{
    struct fxt_buffer_span span;
    uint64_t at = 0;

    while (fxt_buffer_salvage(&span, &at, part, size, chunk))
        read_span(part + span.offset, span.size);
}

static struct fxt_buffer_header read_header(void)
{
    struct fxt_buffer_header header;
    struct fxt_error error;

    if (fxt_buffer_read_header(&header, buffer, BUFFER, BUFFER, &error) != FXT_OK)
        x_fail("the buffer's header is not valid: %s", fxt_rule_id(error.rule));
    return header;
}

static void begin_reading(bool whole)
{
    blobs_are_whole = whole;
    memset(found, 0, sizeof found);
    memset(strings, 0, sizeof strings);
    memset(threads_seen, 0, sizeof threads_seen);
}

/* The handler. */

/* The other process reads, or the engine's user takes its buffer back. */
static void touch(const void *at, uint64_t bytes, enum x_access access)
{
    if (x_touch != NULL)
        x_touch(at, (size_t)bytes, access);
}

static struct {
    bool notified; /* and not saved yet */
    uint32_t wrapped;
    uint64_t durable_end;
    int64_t last_saved; /* wrapped count; -1: none */
    uint8_t copy[BUFFER];
    bool ids[IDS];
} saver;

static uint8_t *half_at(const struct fxt_buffer_header *header, uint32_t wrapped)
{
    return buffer + FXT_BUFFER_HEADER_BYTES + header->durable_size +
           (wrapped & 1) * header->rolling_size;
}

static void on_full(trace_handler_t *handler, uint32_t wrapped_count, uint64_t durable_data_end)
{
    struct fxt_buffer_header header = read_header();
    uint64_t size = header.rolling_data_end[wrapped_count & 1];

    (void)handler;
    if (host.stopped)
        x_fail("told of a full half once it was told that tracing has stopped");
    if (saver.notified)
        x_fail("told of a second full half");
    if ((int64_t)wrapped_count != saver.last_saved + 1)
        x_fail("told of half %u", wrapped_count);
    begin_reading(true);
    touch(buffer + FXT_BUFFER_HEADER_BYTES, durable_data_end, X_READS);
    touch(half_at(&header, wrapped_count), size, X_READS);
    read_span(buffer + FXT_BUFFER_HEADER_BYTES, durable_data_end);
    read_span(half_at(&header, wrapped_count), size);
    for (int id = 0; id < IDS; id++)
        if (found[id] != 0 && records[id].saved)
            x_fail("record %d is saved twice", id);
    for (int id = 0; id < IDS; id++)
        saver.ids[id] = found[id] != 0;
    memcpy(saver.copy, half_at(&header, wrapped_count), size);
    saver.wrapped = wrapped_count;
    saver.durable_end = durable_data_end;
    saver.notified = true;
}

static void save(bool lies)
{
    struct fxt_buffer_header header = read_header();

    touch(half_at(&header, saver.wrapped), header.rolling_data_end[saver.wrapped & 1], X_READS);
    if (memcmp(saver.copy, half_at(&header, saver.wrapped),
               header.rolling_data_end[saver.wrapped & 1]) != 0)
        x_fail("the half has changed while it was saved");
    if (lies) {
        if (trace_engine_mark_buffer_saved(saver.wrapped + 2, saver.durable_end) == ZX_OK ||
            trace_engine_mark_buffer_saved(saver.wrapped, saver.durable_end + 8) == ZX_OK)
            x_fail("a wrong answer is believed");
    }
    for (int id = 0; id < IDS; id++)
        records[id].saved = records[id].saved || saver.ids[id];
    saver.last_saved = saver.wrapped;
    saver.notified = false;
    zx_status_t status = trace_engine_mark_buffer_saved(saver.wrapped, saver.durable_end);
    if (status != ZX_OK)
        x_fail("the right answer is refused: %d", status);
    if (lies && trace_engine_mark_buffer_saved(saver.wrapped, saver.durable_end) == ZX_OK)
        x_fail("a half is saved twice");
}

static bool saves(void)
{
    bool lies = strchr(scenario->run[0], 'l') != NULL;

    if (!saver.notified || !(lies || strchr(scenario->run[0], 's') != NULL))
        return false;
    save(lies);
    return true;
}

/* The threads. */

/* Few strings, since the durable part of a small buffer has no room for more. */
static void write_event(struct trace_i_site *site, const char *name, int id)
{
    const trace_arg_value_t values[] = {trace_make_int32_arg_value(id)};
    if (host_site_is_on(site, "e"))
        trace_i_event(site, "e", name, FXT_EVENT_INSTANT, TRACE_SCOPE_THREAD, values, 1);
}

/* An event with a name of its own. */
static void write_named(int id)
{
    char name[16];
    trace_string_ref_t refs[3];
    trace_thread_ref_t thread;
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    snprintf(name, sizeof name, "n%d", id);
    trace_context_register_string_literal(context, "e", &refs[0]);
    trace_context_register_string_literal(context, "e", &refs[1]);
    trace_context_register_string_copy(context, name, strlen(name), &refs[2]);
    trace_context_register_current_thread(context, &thread);
    const trace_arg_t args[] = {trace_make_arg(refs[1], trace_make_uint32_arg_value((uint32_t)id))};
    if (refs[2].encoded_value != 0)
        trace_context_write_instant_event_record(context, trace_get_ticks(), &thread, &refs[0],
                                                 &refs[2], TRACE_SCOPE_THREAD, args, 1);
    else
        records[id].excused = true; /* the trace is full */
    trace_release_context(context);
}

static void write_blob(int id, size_t size)
{
    uint8_t bytes[LARGE_BLOB];
    trace_string_ref_t name;
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    memset(bytes, id, size);
    trace_context_register_string_literal(context, "b", &name);
    trace_context_write_blob_record(context, TRACE_BLOB_TYPE_DATA, &name, bytes, size);
    trace_release_context(context);
}

static void do_one(char what);

/* A blob whose payload is written when its lease is another one's already, or when its thread has
   ended as far as the engine knows. */
static void write_in_place(int id, bool ends)
{
    trace_string_ref_t name;
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    trace_context_register_string_literal(context, "b", &name);
    uint8_t *bytes = trace_context_begin_write_blob_record(context, TRACE_BLOB_TYPE_LAST_BRANCH,
                                                           &name, SMALL_BLOB);
    if (bytes != NULL) {
        memset(bytes, id, SMALL_BLOB / 2);
        do_one(ends ? 't' : 'b');
        touch(bytes + SMALL_BLOB / 2, SMALL_BLOB / 2, X_WRITES);
        memset(bytes + SMALL_BLOB / 2, id, SMALL_BLOB / 2);
    }
    trace_release_context(context);
}

static int begin_record(char what, int thread)
{
    int id = thread * IDS_A_THREAD + next_id[thread]++;
    if (next_id[thread] > IDS_A_THREAD)
        x_fail("too many records");
    records[id] = (struct record){.what = what, .begun = true, .half = -1};
    return id;
}

static void write_one(int id)
{
    static const char *const names[] = {"e"};
    static struct trace_i_site site_e = {.names = names};
    static struct trace_i_site site_d = {.names = names};
    char what = records[id].what;
    int self = x_this_thread();
    int outer = writing[self];
    uint64_t dropped = fxt_i_this_thread.drops;
    uint64_t drops_before = drops[self];
    int changes_before = host.changes;
    int old_before = x_old_values();
    bool off = host_is_off();

    writing[self] = id;
    if (what == 'e')
        write_event(&site_e, "e", id);
    else if (what == 'd')
        write_event(&site_d, "d", id);
    else if (what == 'n')
        write_named(id);
    else if (what == 'a' || what == 'A')
        write_in_place(id, what == 'A');
    else
        write_blob(id, what == 's' ? TINY_BLOB : what == 'b' ? SMALL_BLOB : LARGE_BLOB);
    writing[self] = outer;
    /* Without those of records in the middle of this one. */
    uint64_t more = fxt_i_this_thread.drops - dropped - (drops[self] - drops_before);
    drops[self] += more;
    off = off || host_is_off() || host.changes != changes_before;
    bool late =
        host.changes > 0 && x_old_values() != old_before; /* it may not have seen the start */
    records[id].excused = records[id].excused || off || late;
    records[id].returned = true;
    if (!records[id].published && more == 0 && !records[id].excused)
        x_fail("record %d is neither written nor dropped", id);
    if (records[id].published && more > 0)
        x_fail("record %d is written and dropped", id);
    if (scenario->mode == TRACE_BUFFERING_MODE_ONESHOT && scenario->with != SIGNALS && more > 0 &&
        !records[id].excused && fxt_i_engine.full.value == 0)
        x_fail("record %d is dropped though there is room", id);
}

static void start_again(void)
{
    while (!host.stopped)
        x_yield();
    host_start(TRACE_START_RETAIN_BUFFER);
}

/* As a program that begins anew: nothing of what was there is left. */
static void start_anew(void)
{
    while (!host.stopped)
        x_yield();
    checks_kills = false;
    for (int id = 0; id < IDS; id++)
        records[id].gone = records[id].gone || records[id].published;
    host_start(TRACE_START_CLEAR_ENTIRE_BUFFER);
    checks_kills = true;
}

/* While it is held, no stop ends. */
static void prolong(void)
{
    trace_prolonged_context_t *held = trace_acquire_prolonged_context();

    if (held == NULL)
        return;
    touch(&prolonged_place, sizeof prolonged_place, X_WRITES);
    if (host.stopped)
        x_fail("stopped while a prolonged context is held");
    trace_release_prolonged_context(held);
}

/* As a signal handler that interrupts a record: it is refused. */
static void write_while_busy(void)
{
    fxt_i_this_thread.busy = true;
    write_one(begin_record('s', x_this_thread()));
    fxt_i_this_thread.busy = false;
}

/* A user may take the buffer back when the state says that tracing has stopped. */
static void await_stopped(void)
{
    while (trace_state() != TRACE_STOPPED)
        x_yield();
    touch(buffer, BUFFER, X_WRITES);
}

/* A manager that answers before it is asked, and wrongly. */
static void claim_saved(void)
{
    if (trace_engine_mark_buffer_saved(0, 1) == ZX_OK)
        x_fail("a wrong answer is believed");
}

/* e, d, n: an event, of another site, with a name of its own; s, b, B, a: blobs, tiny, small, large,
   small and written in place with another one in between; A: so, and the thread ends in between; x: stop; r, R: start once it has stopped, R anew;
   w: await the state that says so, and use the buffer; f: flush; p: hold a prolonged context for a
   moment; o: ask the dispatcher, as an observer that acknowledges; i: a tiny blob in the middle of a
   record; m: say that half 0 is saved; t: this thread ends. */
static void do_one(char what)
{
    if (what == 'x')
        trace_engine_stop(ZX_OK);
    else if (what == 'r')
        start_again();
    else if (what == 'R')
        start_anew();
    else if (what == 'w')
        await_stopped();
    else if (what == 'm')
        claim_saved();
    else if (what == 'o')
        fxt_i_dispatcher_post(0);
    else if (what == 'i')
        write_while_busy();
    else if (what == 'p')
        prolong();
    else if (what == 'f')
        trace_engine_flush_buffer();
    else if (what == 't')
        fxt_i_thread_ends(&fxt_i_this_thread);
    else
        write_one(begin_record(what, x_this_thread()));
}

static void do_one_of(void *what)
{
    do_one(*(const char *)what);
}

static void run(int thread)
{
    if (thread == 0) {
        host_dispatch(saves);
        return;
    }
    for (const char *what = scenario->run[thread]; *what != '\0'; what++)
        do_one(*what);
    host_ends();
}

static void interrupt(int thread)
{
    (void)thread;
    if (next_id[X_THREADS_MAX] < IDS_A_THREAD)
        write_one(begin_record('e', X_THREADS_MAX));
}

/* Before and after a run. */

static bool program_has(char what)
{
    for (int thread = 1; thread <= writers; thread++)
        if (strchr(scenario->run[thread], what) != NULL)
            return true;
    return false;
}

static bool shows_old;

static bool is_of_this_thread(int id)
{
    return thread_of(id) == x_this_thread() || thread_of(id) == X_THREADS_MAX;
}

static void killed_here(void)
{
    struct fxt_buffer_header header = read_header();
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    bool oneshot = header.buffering_mode == TRACE_BUFFERING_MODE_ONESHOT;

    begin_reading(false);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++) {
        bool rolling = oneshot || i > 0;
        int64_t lap = (int64_t)header.wrapped_count - (count - 1 - i);
        if (rolling && !oneshot && lap <= saver.last_saved)
            continue;
        salvage(buffer + parts[i].offset, parts[i].size,
                rolling ? fxt_buffer_chunk_bytes(parts[i].room) : 0);
    }
    for (int id = 0; id < IDS; id++) {
        const struct record *it = &records[id];
        if (found[id] != 0 && it->saved)
            x_fail("record %d is saved, and is there still", id);
        if (found[id] != 0 && it->gone)
            x_fail("record %d is of an earlier lap, and is there still", id);
        if (found[id] == 0 && it->returned && it->published && !it->gone && !it->saved &&
            it->what != 'a' && it->what != 'A' && !(shows_old && is_of_this_thread(id)))
            x_fail("record %d is lost", id);
    }
}

static uint64_t durable_size(void)
{
    return fxt_i_engine.header.durable_size;
}

/* The half of a word of the buffer; -1: none. */
static int half_of(const uint64_t *word)
{
    const uint8_t *at = (const uint8_t *)word;
    const uint8_t *first = buffer + FXT_BUFFER_HEADER_BYTES + durable_size();
    if (at < first || at >= buffer + BUFFER)
        return -1;
    return (uint64_t)(at - first) >= fxt_i_engine.header.rolling_size ? 1 : 0;
}

static void used_again(int half)
{
    for (int id = 0; id < IDS; id++) {
        struct record *it = &records[id];
        if (!it->published || it->half != half)
            continue;
        if (scenario->mode == TRACE_BUFFERING_MODE_STREAMING && !it->saved)
            x_fail("record %d is overwritten before it was saved", id);
        it->gone = true;
    }
}

static bool is_ours(uint64_t header)
{
    return header % 16 == FXT_RECORD_EVENT || header % 16 == FXT_RECORD_BLOB;
}

/* Whether this store makes a record one of the buffer's: that of its header, or of a filler of one
   word in front of it. */
static bool shows_record(const uint64_t *word, uint64_t value)
{
    bool last = (const uint8_t *)(word + 1) == buffer + BUFFER;
    return is_ours(value) || (value == fxt_i_filler(8) && !last && is_ours(word[1]));
}

/* The half whose data end this store says to be 0, so that it may be used again: never the current
   one. -1: none. */
static int emptied(const uint64_t *word, uint64_t value)
{
    int64_t at = (const uint8_t *)word - (buffer + FXT_I_HEADER_ROLLING_END);
    if (value != 0 || (at != 0 && at != 8) || at / 8 == (read_header().wrapped_count & 1))
        return -1;
    return (int)at / 8;
}

/* Another process sees the buffer without this thread's last stores. */
static void shown(void)
{
    if (!checks_kills)
        return;
    shows_old = true;
    killed_here();
    shows_old = false;
}

static void published(const uint64_t *word, uint64_t value)
{
    int half = half_of(word);
    int id = writing[x_this_thread()];

    if (host.stopped && half >= 0)
        x_fail("written once it was stopped");
    if (half >= 0 && saver.notified && half == (int)(saver.wrapped & 1))
        x_fail("written while it was saved");
    if (checks_kills && emptied(word, value) >= 0)
        used_again(emptied(word, value));
    else if (half >= 0 && value == 0)
        used_again(half);
    else if (half >= 0 && id >= 0 && shows_record(word, value)) {
        records[id].half = half;
        records[id].published = true;
        records[id].gone = false;
    }
    if (checks_kills && x_is_new())
        killed_here();
}

static struct trace_context context_of(int thread)
{
    struct trace_context context;
    memcpy(&context, x_own(thread), sizeof context);
    return context;
}

static void end_thread(void *unused)
{
    (void)unused;
    if (fxt_i_this_thread.presence != NULL)
        fxt_i_thread_ends(&fxt_i_this_thread);
}

/* Once tracing has stopped, the buffer may go away. */
static void take_back(void)
{
    touch(buffer, BUFFER, X_WRITES);
    touch(&prolonged_place, sizeof prolonged_place, X_WRITES);
}

static void set_up(void)
{
    checks_kills = false;
    memset(records, 0, sizeof records);
    memset(next_id, 0, sizeof next_id);
    memset(writing, -1, sizeof writing);
    for (size_t i = 0; i < sizeof buffer; i += 8)
        memcpy(buffer + i, &(uint64_t){0x24}, 8); /* what looks like an event, and is none */
    memset(&saver, 0, sizeof saver);
    /* Every run is like the first. */
    memset(fxt_i_engine.caches, 0, sizeof fxt_i_engine.caches);
    fxt_i_engine.spare_count = 0;
    fxt_i_engine.presence_count = 0;
    fxt_i_engine.free_presences = NULL;
    saver.last_saved = -1;
    memset(drops, 0, sizeof drops);
    host_begin(writers, scenario->mode, buffer, BUFFER, on_full);
    host.on_stopped = program_has('w') ? NULL : take_back;
}

static void tear_down(void)
{
    trace_engine_terminate();
    host_run_until(&host.terminated);
    for (int thread = 0; thread <= writers; thread++)
        x_on_thread(thread, end_thread, NULL);
    x_forget_own();
}

/* What happens once in a process. */
static void warm_up(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    set_up();
    write_one(begin_record('e', 0));
    write_one(begin_record('d', 0));
    tear_down();
}

static void begin(void)
{
    fxt_i_fences_are_light = scenario->with != HEAVY_FENCES;
    warm_up();
    set_up();
    for (const char *it = scenario->before; *it != '\0'; it += it[2] == ' ' ? 3 : 2) {
        char what = it[1];
        x_on_thread(it[0] - '0', do_one_of, &what);
        while (host_run_task() || saver.notified)
            if (saver.notified)
                save(false);
    }
    checks_kills = true;
}

/* Of each open half it is known how many have a lease; where halves are not used again, nobody
   asks. */
static void count_holders(void)
{
    if (scenario->mode == TRACE_BUFFERING_MODE_ONESHOT || host.stopped)
        return;
    for (int h = 0; h < 2; h++) {
        const struct fxt_i_half *half = &fxt_i_engine.half[h];
        uint64_t holders = 0;
        if (half->gate.value == FXT_I_CLOSED)
            continue;
        for (int thread = 0; thread <= writers; thread++)
            holders +=
                context_of(thread).presence != NULL && context_of(thread).epoch == half->gate.value;
        for (uint32_t i = 0; i < fxt_i_engine.spare_count; i++)
            holders += fxt_i_engine.spares[i].epoch == half->gate.value;
        /* A thread that fills a blob in place stays a holder when it goes on elsewhere. */
        uint64_t counted = half->holders.value - FXT_I_HOLDERS * half->epoch;
        bool stays = counted == holders + 1 && (program_has('a') || program_has('A'));
        if (counted != holders && !stays)
            x_fail("half %d has %" PRIu64 " holders and counts %" PRIu64, h, holders, counted);
    }
}

static void end(void)
{
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];

    count_holders();
    if (!host.stopped && fxt_i_engine.saving.value == FXT_I_SAVE_CLOSING)
        x_fail("nobody is told of a full half");
    if (!host.stopped)
        trace_engine_stop(ZX_OK);
    host_run_until(&host.stopped);
    for (int h = 0; h < 2; h++)
        if (fxt_i_engine.half[h].gate.value != FXT_I_CLOSED)
            x_fail("the gate of half %d is open once it was stopped", h);
    struct fxt_buffer_header header = read_header();
    killed_here();
    begin_reading(true);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++)
        read_span(buffer + parts[i].offset, parts[i].size);
    for (int id = 0; id < IDS; id++) {
        const struct record *it = &records[id];
        bool there = it->published && !it->gone && !it->saved;
        if ((found[id] != 0) != there)
            x_fail("record %d is %s in the end", id, there ? "not there" : "there");
    }
    uint64_t sum = 0;
    for (int thread = 0; thread <= writers; thread++)
        sum += drops[thread];
    if (header.records_dropped != sum)
        x_fail("%" PRIu64 " dropped, not %" PRIu64, header.records_dropped, sum);
    checks_kills = false;
    tear_down();
}

static const char *name_of(const void *at)
{
    static char text[64];
    const struct fxt_i_engine *engine = &fxt_i_engine;
    const struct {
        const void *at;
        const char *name;
    } names[] = {
        {&engine->half[0].gate, "gate of half 0"},
        {&engine->half[1].gate, "gate of half 1"},
        {&engine->half[0].holders, "holders of half 0"},
        {&engine->half[1].holders, "holders of half 1"},
        {&engine->position, "position"},
        {&engine->state, "state"},
        {&engine->saving, "saving"},
        {&engine->full, "full"},
        {&engine->dropped, "dropped"},
        {&engine->dropping, "dropping"},
        {&engine->turn_lock, "lock of turns"},
        {&engine->table_lock, "lock of tables"},
        {&engine->thread_lock, "lock of threads"},
        {&engine->site_lock, "lock of sites"},
        {&engine->life_lock, "lock of the life"},
        {&engine->data_end[0], "data end of half 0"},
        {&engine->data_end[1], "data end of half 1"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].at == at)
            return names[i].name;
    for (int thread = 0; thread <= writers; thread++) {
        const struct fxt_i_presence *it = context_of(thread).presence;
        if (it != NULL && at == &it->active) {
            snprintf(text, sizeof text, "active of thread %d", thread);
            return text;
        }
    }
    if ((const uint8_t *)at >= buffer && (const uint8_t *)at < buffer + BUFFER) {
        snprintf(text, sizeof text, "byte %d of the buffer", (int)((const uint8_t *)at - buffer));
        return text;
    }
    return NULL;
}

#define ONESHOT TRACE_BUFFERING_MODE_ONESHOT
#define CIRCULAR TRACE_BUFFERING_MODE_CIRCULAR
#define STREAMING TRACE_BUFFERING_MODE_STREAMING

#define FIVE_NAMES " 1n 1n 1n 1n 1n"
#define TWENTY_NAMES FIVE_NAMES FIVE_NAMES FIVE_NAMES FIVE_NAMES " "

/* A half of 4 KiB is 13 chunks of 128 bytes, oneshot 15 of 256: a chunk takes four events or a blob,
   in oneshot twice that; a large blob takes 11 chunks, or 6. */
static const struct scenario scenarios[] = {
    {"circular: both turn", CIRCULAR, "1e 2e 1b 1B", {"", "bbe", "bbe"}, PLAIN},
    {"circular: one still writes to the half that is used again",
     CIRCULAR,
     "2e 1B 1b 1e 1B",
     {"", "bbb", "ee"},
     PLAIN},
    {"circular: one still writes, and fences are heavy",
     CIRCULAR,
     "2e 1B 1b 1e 1B",
     {"", "bbb", "ee"},
     HEAVY_FENCES},
    {"circular: one comes late", CIRCULAR, "1e 2B 2b 2b 2b 2b", {"", "b", "BB"}, SWITCHES},
    {"circular: two turns", CIRCULAR, "2e 1e 1b 1B", {"", "bBBe", "eb"}, PLAIN},
    {"circular: three", CIRCULAR, "1e 2e 1B 3e 1B", {"", "bb", "be", "eb"}, PLAIN},
    {"circular: a blob in place", CIRCULAR, "2e 1b 1B 2e 1e", {"", "bbB", "ae"}, PLAIN},
    {"circular: a thread ends before its blob in place is written",
     CIRCULAR,
     "2e 1b",
     {"", "BBB", "A"},
     PLAIN},
    {"circular: stopped, and a thread ends before its blob in place is written",
     CIRCULAR,
     "2e",
     {"", "x", "A"},
     PLAIN},
    {"circular: new strings", CIRCULAR, "1e 2e", {"", "ne", "en"}, PLAIN},
    {"circular: new sites", CIRCULAR, "1e 2e", {"", "de", "d"}, PLAIN},
    {"circular: new threads", CIRCULAR, "", {"", "e", "se"}, PLAIN},
    {"circular: full of strings", CIRCULAR, "1e 2e" TWENTY_NAMES "1n", {"", "ned", "dnn"}, PLAIN},
    {"circular: full of strings, and a new thread",
     CIRCULAR,
     "1e 1d" TWENTY_NAMES "1n 1n 1n",
     {"", "ne", "en"},
     PLAIN},
    {"streaming: full of strings",
     STREAMING,
     "1e 2e" TWENTY_NAMES "1n",
     {"s", "ned", "dnn"},
     PLAIN},
    {"circular: stopped", CIRCULAR, "1e 2e", {"", "ebe", "ex"}, PLAIN},
    {"circular: started again", CIRCULAR, "1e 2e", {"", "ebe", "xre"}, PLAIN},
    {"circular: started anew", CIRCULAR, "1e 2e", {"", "ebe", "xRe"}, PLAIN},
    {"circular: the state says that it is stopped", CIRCULAR, "1e 2e", {"", "e", "xw"}, PLAIN},
    {"circular: stopped while a context is prolonged", CIRCULAR, "1e 2e", {"", "p", "x"}, SWITCHES},
    {"circular: stopped while a thread is refused", CIRCULAR, "1e 2e", {"", "i", "x"}, PLAIN},
    {"circular: stopped while a thread is refused, and fences are heavy",
     CIRCULAR,
     "1e 2e",
     {"", "i", "x"},
     HEAVY_FENCES},
    {"circular: stopped, and fences are heavy", CIRCULAR, "1e 2e", {"", "ebe", "ex"}, HEAVY_FENCES},
    {"circular: threads end", CIRCULAR, "1e", {"", "t", "et", "eb"}, PLAIN},
    {"circular: a spare of a half that is used again",
     CIRCULAR,
     "1e 1t 2B",
     {"", "", "BB", "e"},
     PLAIN},
    {"circular: signals", CIRCULAR, "1e 2e 1b 1B", {"", "ebn", "b"}, SIGNALS},
    {"streaming: both turn", STREAMING, "1e 2e 1b 1B", {"s", "bbe", "bbe"}, PLAIN},
    {"streaming: one still writes to the full half", STREAMING, "2e 1B", {"s", "bbb", "ee"}, PLAIN},
    {"streaming: one still writes, and fences are heavy",
     STREAMING,
     "2e 1B",
     {"s", "bbb", "ee"},
     HEAVY_FENCES},
    {"streaming: a turn that leaves room", STREAMING, "1e 2e 1b 1b", {"s", "Be", "bb"}, PLAIN},
    {"streaming: asked for two things", STREAMING, "2e 2b 2B", {"s", "o", "bbe"}, PLAIN},
    {"streaming: two turns", STREAMING, "2e 1e 1B", {"s", "bBBe", "eb"}, PLAIN},
    {"streaming: a manager that lies", STREAMING, "2e 1e 1B", {"l", "bbBb", "eb"}, PLAIN},
    {"streaming: a manager that answers unasked", STREAMING, "2e 1e 1B", {"s", "bb", "m"}, PLAIN},
    {"streaming: a manager that is dead", STREAMING, "2e 1e 1B", {"", "bbBb", "eb"}, PLAIN},
    {"streaming: a blob in place", STREAMING, "2e 1e 1B", {"s", "bbB", "ae"}, PLAIN},
    {"streaming: a thread ends before its blob in place is written",
     STREAMING,
     "2e 1b",
     {"s", "BB", "A"},
     PLAIN},
    {"streaming: stopped", STREAMING, "2e 1e 1B", {"s", "bbe", "ex"}, PLAIN},
    {"streaming: stopped while a full half closes", STREAMING, "1e 2e", {"s", "e", "fx"}, SWITCHES},
    {"streaming: flushed while it stops", STREAMING, "1e 2e", {"s", "f", "x"}, PLAIN},
    {"streaming: flushed", STREAMING, "1e 2e", {"s", "ebe", "fef"}, PLAIN},
    {"streaming: signals", STREAMING, "1e 2e 1B", {"s", "ebb", "b"}, SIGNALS},
    {"oneshot: new strings", ONESHOT, "1e 2e", {"", "ne", "en"}, PLAIN},
    {"oneshot: new sites", ONESHOT, "1e 2e 1n 1n 1n 1n 1n", {"", "de", "d"}, PLAIN},
    {"oneshot: a new site, and strings that void its lease",
     ONESHOT,
     "1e 2e 1n 1n 1n 1n",
     {"", "n", "d"},
     PLAIN},
    {"oneshot: new threads", ONESHOT, "", {"", "e", "se"}, PLAIN},
    {"oneshot: full", ONESHOT, "1e 2e 1B 2b", {"", "bBb", "bnb"}, PLAIN},
    {"oneshot: full, and signals", ONESHOT, "1e 2e 1B 2b", {"", "Bb", "b"}, SIGNALS},
    {"oneshot: stopped", ONESHOT, "1e 2e", {"", "ebe", "nx"}, PLAIN},
    {"oneshot: started again", ONESHOT, "1e 2e", {"", "ene", "xre"}, PLAIN},
    {"oneshot: stopped while a definition opens the half again",
     ONESHOT,
     "1e 2e 1n 1n",
     {"", "nnnn", "xR"},
     SWITCHES},
    {"circular: stopped while a signal interrupts a new thread",
     CIRCULAR,
     "2e",
     {"", "e", "x"},
     SIGNALS},
};

int main(int argc, char **argv)
{
    int preemptions = 1;
    const char *only = NULL;
    uint64_t most = UINT64_MAX;
    int failures = 0;
    int programs = 0;
    bool lists = false;

    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--preemptions=", 14) == 0)
            preemptions = atoi(argv[i] + 14);
        else if (strcmp(argv[i], "--list") == 0)
            lists = true;
        else if (strncmp(argv[i], "--most=", 7) == 0)
            most = strtoull(argv[i] + 7, NULL, 10);
        else
            only = argv[i];
    }
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        scenario = &scenarios[i];
        if (only != NULL && strncmp(scenario->name, only, strlen(only)) != 0)
            continue;
        for (writers = 0; scenario->run[writers + 1] != NULL; writers++)
            ;
        const struct x_program program = {
            .name = scenario->name,
            .threads = 1 + writers,
            .preemptions = preemptions + (scenario->with == SWITCHES ? 1 : 0),
            .stales = scenario->with == SIGNALS || scenario->with == SWITCHES ? 0 : 1,
            .signals = scenario->with == SIGNALS ? 1 : 0,
            .own = &fxt_i_this_thread,
            .own_bytes = sizeof fxt_i_this_thread,
            .begin = begin,
            .end = end,
            .run = run,
            .signal = scenario->with == SIGNALS ? interrupt : NULL,
            .published = published,
            .shown = shown,
            .name_of = name_of,
        };
        programs++;
        if (lists)
            printf("%s\n", scenario->name);
        else
            failures += !x_explore(&program, most);
    }
    if (programs == 0) {
        fprintf(stderr, "there is no such program: %s\n", only);
        return 2;
    }
    return failures != 0;
}
