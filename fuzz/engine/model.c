#include "fuzz/engine/model.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fxt/read.h>

#include "fuzz/lib/image.h"

#define STRINGS_MAX 1024u
#define SALT 0x5aU /* of a payload */

struct model_record model_records[MODEL_RECORDS_MAX];
uint8_t model_buffer[MODEL_BUFFER_MAX] __attribute__((aligned(64)));

static struct {
    uint32_t buffer_bytes;
    uint32_t count;
    int64_t saved_wrapped; /* -1: none */
    uint8_t copy[MODEL_BUFFER_MAX];
    bool copied[MODEL_RECORDS_MAX];
} model;

/* What is being read. */
static struct {
    bool killed;
    bool clearing; /* killed in the middle of a start */
    struct fxt_bytes strings[STRINGS_MAX];
    uint64_t threads[256];
    bool found[MODEL_RECORDS_MAX];
    int64_t last[X_THREADS_MAX]; /* the last record of each thread */
} it;

static struct fuzz_found spans;

void model_begin(uint32_t buffer_bytes)
{
    memset(model_records, 0, model.count * sizeof model_records[0]);
    model.buffer_bytes = buffer_bytes;
    model.count = 0;
    model.saved_wrapped = -1;
}

/* Few of them are equal, and their lengths are those around a word. */
uint32_t model_name(char out[300], uint64_t text)
{
    uint32_t length = (uint32_t)(1 + text % 16 + (text % 8 == 7 ? 240 : 0));

    memset(out, 'a' + (int)(text % 26), length);
    out[0] = (char)('A' + text / 16 % 16);
    return length;
}

int model_add(struct model_record record)
{
    if (model.count == MODEL_RECORDS_MAX)
        return -1;
    model_records[model.count] = record;
    return (int)model.count++;
}

void model_started(bool clears)
{
    for (uint32_t id = 0; clears && id < model.count; id++) {
        model_records[id].cleared = model_records[id].cleared || model_records[id].returned;
        model_records[id].excused = model_records[id].excused || !model_records[id].returned;
    }
    if (clears)
        model.saved_wrapped = -1;
}

/* Reading. */

static void is_text(struct fxt_string_ref ref, const char *text, uint32_t length)
{
    struct fxt_bytes is = {ref.bytes, fxt_string_ref_length(ref)};

    if (ref.ref < FXT_STRING_INLINE) {
        if (ref.ref == 0 || ref.ref >= STRINGS_MAX || it.strings[ref.ref].bytes == NULL)
            x_fail("a reference to string %u, which is not there", ref.ref);
        is = it.strings[ref.ref];
    }
    if (is.size != length || memcmp(is.bytes, text, length) != 0)
        x_fail("a string is %.*s, not %.*s", (int)is.size, (const char *)is.bytes, (int)length,
               text);
}

static void is_thread(struct fxt_thread_ref ref, uint64_t thread)
{
    uint64_t is = ref.ref == 0 ? ref.thread : it.threads[ref.ref & 255];
    if (ref.ref > 255 || is != thread)
        x_fail("an event of thread %" PRIu64 ", not of %" PRIu64, is, thread);
}

static const struct model_record *find(uint64_t id)
{
    if (id >= model.count)
        x_fail("record %" PRIu64 " was never written", id);
    const struct model_record *record = &model_records[id];
    if (record->dropped)
        x_fail("record %" PRIu64 " was dropped, and is there", id);
    if (record->cleared && !it.clearing)
        x_fail("record %" PRIu64 " was cleared, and is there", id);
    if (record->saved)
        x_fail("record %" PRIu64 " is saved, and is there again", id);
    if (it.found[id])
        x_fail("record %" PRIu64 " is there twice", id);
    it.found[id] = true;
    if (!record->handler) {
        if (it.last[record->thread] > (int64_t)id)
            x_fail("record %" PRIu64 " comes after %" PRId64 " of its thread", id,
                   it.last[record->thread]);
        it.last[record->thread] = (int64_t)id;
    }
    return record;
}

static void read_event(const struct fxt_event *event)
{
    struct fxt_arg arg;
    struct fxt_error error;
    struct fxt_args args = event->args;
    char name[300] = "e";
    uint32_t length = 1;

    if (fxt_args_next(&args, &arg, &error) != FXT_OK)
        x_fail("an event without its argument");
    const struct model_record *record = find(arg.value);
    if (record->kind == MODEL_NAMED)
        length = model_name(name, record->text);
    is_text(event->category, "e", 1);
    is_text(event->name, name, length);
    is_text(arg.name, "e", 1);
    is_thread(event->thread, record->kind == MODEL_FOREIGN
                                 ? record->text
                                 : MODEL_THREAD + (uint64_t)record->thread);
}

static void read_payload(struct fxt_bytes payload)
{
    uint64_t id;

    if (payload.size < 8)
        x_fail("a payload of %" PRIu64 " bytes", payload.size);
    memcpy(&id, payload.bytes, 8);
    for (uint64_t i = 8; i < payload.size; i++)
        if (payload.bytes[i] != (uint8_t)(id ^ SALT))
            x_fail("the payload of record %" PRIu64 " is torn", id);
    const struct model_record *record = find(id);
    if (payload.size != record->bytes)
        x_fail("record %" PRIu64 " has %" PRIu64 " bytes, not %" PRIu64, id, payload.size,
               record->bytes);
}

/* Killed, a process may leave a blob in place that has the bytes of an earlier record, or some. */
static void read_blob(const struct fxt_blob *blob)
{
    if (!it.killed || blob->blob_type != FXT_BLOB_LAST_BRANCH)
        read_payload(blob->payload);
}

static void read_string(const struct fxt_string *string)
{
    if (string->index >= STRINGS_MAX)
        x_fail("string %u", string->index);
    it.strings[string->index] = string->value;
}

static void read_record(const uint8_t *bytes, uint64_t size)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_event event;
    struct fxt_blob blob;
    struct fxt_large_blob large;
    struct fxt_string string;
    struct fxt_thread thread;

    fxt_reader_init(&reader, bytes, size);
    if (fxt_reader_next(&reader, &record, &error) != FXT_OK || reader.position != size)
        x_fail("no record of %" PRIu64 " bytes: %s", size, fxt_rule_id(error.rule));
    if (fxt_read_event(&record, &event, &error) == FXT_OK)
        read_event(&event);
    else if (fxt_read_blob(&record, &blob, &error) == FXT_OK)
        read_blob(&blob);
    else if (fxt_read_large_blob(&record, &large, &error) == FXT_OK)
        read_payload(large.payload);
    else if (fxt_read_string(&record, &string, &error) == FXT_OK)
        read_string(&string);
    else if (fxt_read_thread(&record, &thread, &error) == FXT_OK)
        it.threads[thread.index & 255] = thread.thread;
    else if (record.type != FXT_RECORD_METADATA && record.type != FXT_RECORD_INITIALIZATION &&
             record.type != FXT_RECORD_LARGE && record.type != FXT_RECORD_KERNEL_OBJECT)
        x_fail("a record of type %u: %s", record.type, fxt_rule_id(error.rule));
}

/* The records of a part, which has no other bytes unless the process was killed. */
static void read_part(uint64_t offset, uint64_t size, uint64_t chunk_bytes)
{
    uint64_t end = offset;

    spans.count = 0;
    fuzz_find_records(&spans, model_buffer, offset, size, chunk_bytes);
    for (size_t i = 0; i < spans.count; i++) {
        if (!it.killed && spans.records[i].offset != end)
            x_fail("there is no record at %" PRIu64, end);
        end = spans.records[i].offset + 8 * spans.records[i].words;
        read_record(model_buffer + spans.records[i].offset, 8 * spans.records[i].words);
    }
    if (!it.killed && end != offset + size)
        x_fail("there is no record at %" PRIu64 ", before the end at %" PRIu64, end, offset + size);
}

/* Leases. */

static uint64_t word_at(uint64_t offset)
{
    uint64_t word;
    memcpy(&word, model_buffer + offset, 8);
    return word;
}

static bool is_lease_head(uint64_t word)
{
    return (word & 0xfffff) == (0 | 1 << 4 | 14 << 16);
}

/* A lease is a row of whole records, which ends where its head says and has no other head in it. So
   who goes by the heads finds each record, and no record twice. */
static void read_lease(uint64_t begin, uint64_t end)
{
    uint64_t at = begin;

    while (at < end) {
        uint64_t word = word_at(at);
        bool large = (word & 15) == FXT_RECORD_LARGE;
        uint64_t words = large ? word >> 4 & UINT64_C(0xffffffff) : word >> 4 & 0xfff;
        if (at > begin && is_lease_head(word))
            x_fail("the head of the lease at %" PRIu64 " covers another one", begin);
        if (words == 0)
            x_fail("the lease at %" PRIu64 " has no record at %" PRIu64, begin, at);
        at += 8 * words;
    }
    if (at != end)
        x_fail("the head of the lease at %" PRIu64 " names an end at %" PRIu64
               ", but a record ends at %" PRIu64,
               begin, end, at);
}

/* A rolling part as section 1.4 says: a row of leases and of chunks that nobody has written to. */
static void read_leases(uint64_t offset, uint64_t size, uint64_t room, uint32_t lap)
{
    uint64_t chunk = fuzz_chunk_bytes(room);
    uint64_t chunks = room / chunk;

    for (uint64_t at = 0; at < size;) {
        uint64_t word = word_at(offset + at);
        uint64_t next = at / chunk + (word == 0 ? 1 : (word >> 20 & 0xfffff) + 1);
        uint64_t end = next < chunks ? next * chunk : room;
        if (word != 0 && !is_lease_head(word))
            x_fail("no lease begins at %" PRIu64, offset + at);
        if (word != 0 && word >> 40 != (lap & 0xffffff))
            x_fail("the lease at %" PRIu64 " is of lap %" PRIu64 ", not %u", offset + at,
                   word >> 40, lap);
        if (next > chunks || end > size)
            x_fail("the lease at %" PRIu64 " goes beyond the data end", offset + at);
        if (word != 0)
            read_lease(offset + at, offset + end);
        at = end;
    }
}

static struct fxt_buffer_header read_header(void)
{
    struct fxt_buffer_header header;
    struct fxt_error error;

    if (fxt_buffer_read_header(&header, model_buffer, model.buffer_bytes, model.buffer_bytes,
                               &error) != FXT_OK)
        x_fail("the buffer's header is not valid: %s", fxt_rule_id(error.rule));
    return header;
}

static void begin_reading(bool killed)
{
    it.killed = killed;
    it.clearing = false;
    memset(it.strings, 0, sizeof it.strings);
    memset(it.threads, 0, sizeof it.threads);
    memset(it.found, 0, model.count);
    memset(it.last, -1, sizeof it.last);
}

/* Saving. */

static uint64_t half_at(const struct fxt_buffer_header *header, uint32_t wrapped)
{
    return FXT_BUFFER_HEADER_BYTES + header->durable_size + (wrapped & 1) * header->rolling_size;
}

void model_hand_over(uint32_t wrapped, uint64_t durable_end)
{
    struct fxt_buffer_header header = read_header();
    uint64_t size = header.rolling_data_end[wrapped & 1];

    if (header.buffering_mode != FXT_BUFFERING_STREAMING)
        x_fail("a half is handed over in mode %u", header.buffering_mode);
    if ((int64_t)wrapped != model.saved_wrapped + 1)
        x_fail("half %u is handed over after %" PRId64, wrapped, model.saved_wrapped);
    begin_reading(false);
    read_part(FXT_BUFFER_HEADER_BYTES, durable_end, 0);
    read_part(half_at(&header, wrapped), size, fuzz_chunk_bytes(header.rolling_size));
    read_leases(half_at(&header, wrapped), size, header.rolling_size, wrapped);
    memcpy(model.copied, it.found, model.count);
    memset(model.copied + model.count, 0, sizeof model.copied - model.count);
    memcpy(model.copy, model_buffer + half_at(&header, wrapped), size);
}

void model_unchanged(uint32_t wrapped)
{
    struct fxt_buffer_header header = read_header();

    if (memcmp(model.copy, model_buffer + half_at(&header, wrapped),
               header.rolling_data_end[wrapped & 1]) != 0)
        x_fail("half %u has changed while it was saved", wrapped);
}

void model_saved(uint32_t wrapped)
{
    for (uint32_t id = 0; id < model.count; id++)
        model_records[id].saved = model_records[id].saved || model.copied[id];
    model.saved_wrapped = wrapped;
}

/* The end. */

static bool is_certain(const struct model_record *record)
{
    return record->returned && !record->dropped && !record->excused && !record->cleared &&
           !record->saved && !(it.killed && record->kind == MODEL_PLACE);
}

/* Circular: the buffer has the last two laps, or one when the other half is being used again. A
   record is of the lap in which its call began, or one before or some after it. */
static void check_laps(const struct fxt_buffer_header *header)
{
    uint32_t now = header->wrapped_count;
    bool both = now > 0 && header->rolling_data_end[(now - 1) & 1] != 0;
    bool here[X_THREADS_MAX] = {false};

    for (uint32_t id = 0; id < model.count; id++) {
        const struct model_record *record = &model_records[id];
        if (!is_certain(record))
            continue;
        bool must = now == 0 || (both && record->wrapped >= now) ||
                    (!record->handler && here[record->thread]);
        if (must && !it.found[id])
            x_fail("record %u of lap %u is not there; now it is lap %u", id, record->wrapped, now);
        if (it.found[id] && !record->handler)
            here[record->thread] = true;
    }
}

static void check_all_there(void)
{
    for (uint32_t id = 0; id < model.count; id++)
        if (is_certain(&model_records[id]) && !it.found[id])
            x_fail("record %u is neither there nor dropped", id);
}

/* The number of records dropped is exact, but for calls that have not returned. */
static void check_drops(const struct fxt_buffer_header *header, const struct model_drops *drops)
{
    uint64_t told = header->records_dropped;

    if ((told < drops->returned || told > drops->returned + drops->begun) &&
        !(it.clearing && told == drops->cleared))
        x_fail("the header tells of %" PRIu64 " drops; %" PRIu64 " have returned, %" PRIu64
               " have not",
               told, drops->returned, drops->begun);
}

void model_look(void)
{
    struct fxt_buffer_header header = read_header();
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    uint32_t count = fxt_buffer_parts(parts, &header);

    for (uint32_t i = count > 1; i < count; i++)
        read_leases(parts[i].offset, parts[i].size, parts[i].room,
                    header.wrapped_count - (count - 1 - i));
}

void model_end(bool killed, bool clearing, const struct model_drops *drops)
{
    struct fxt_buffer_header header = read_header();
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    bool oneshot = header.buffering_mode == FXT_BUFFERING_ONESHOT;
    uint32_t count = fxt_buffer_parts(parts, &header);

    begin_reading(killed);
    it.clearing = clearing;
    for (uint32_t i = 0; i < count; i++) {
        bool rolling = oneshot || i > 0;
        int64_t lap = (int64_t)header.wrapped_count - (count - 1 - i);
        if (rolling && !oneshot && lap <= model.saved_wrapped)
            continue;
        read_part(parts[i].offset, parts[i].size, rolling ? fuzz_chunk_bytes(parts[i].room) : 0);
        if (rolling)
            read_leases(parts[i].offset, parts[i].size, parts[i].room, (uint32_t)lap);
    }
    if (header.buffering_mode == FXT_BUFFERING_CIRCULAR)
        check_laps(&header);
    else
        check_all_there();
    check_drops(&header, drops);
}
