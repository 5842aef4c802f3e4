#include "fuzz/joint/law.h"

#include <inttypes.h>
#include <string.h>

#include <fxt/read.h>

#include "fuzz/lib/judge.h"
#include "proofs/interleave/explore.h"

struct law_event law_events[LAW_EVENTS_MAX];
uint32_t law_count;

static bool found[LAW_EVENTS_MAX];
static int64_t last[LAW_THREADS_MAX]; /* event of each thread */

void law_begin(void)
{
    law_count = 0;
}

int law_add(struct law_event event)
{
    if (law_count == LAW_EVENTS_MAX)
        return -1;
    law_events[law_count] = event;
    return (int)law_count++;
}

uint32_t law_name(char out[64], uint32_t text)
{
    uint32_t length = 1 + text * 7 % 40;

    memset(out, 'a' + (int)(text % 26), length);
    return length;
}

void law_payload(uint8_t *bytes, uint32_t id)
{
    memset(bytes, (int)(id ^ 0x5a) & 0xff, law_events[id].bytes);
    memcpy(bytes, &(uint64_t){id}, 8);
}

static bool is_certain(const struct law_event *event)
{
    return event->returned && !event->dropped && !event->excused;
}

void law_promise(unsigned number)
{
    for (uint32_t i = 0; i < law_count; i++)
        if (is_certain(&law_events[i]) && (number == 0 || !law_events[i].cleared))
            law_events[i].promise |= (uint8_t)(1u << number);
}

void law_clear(bool saved)
{
    for (uint32_t i = 0; i < law_count; i++) {
        law_events[i].cleared = true;
        law_events[i].excused |= !saved;
    }
}

static void find(unsigned number, uint64_t id)
{
    if (id >= law_count)
        x_fail("archive %u has event %" PRIu64 ", which was never written", number, id);
    const struct law_event *event = &law_events[id];
    if (event->dropped)
        x_fail("archive %u has event %" PRIu64 ", which was dropped", number, id);
    if (found[id])
        x_fail("archive %u has event %" PRIu64 " twice", number, id);
    if (last[event->thread] > (int64_t)id)
        x_fail("archive %u has event %" PRIu64 " after %" PRId64 " of its thread", number, id,
               last[event->thread]);
    found[id] = true;
    last[event->thread] = (int64_t)id;
}

static void read_event(unsigned number, const struct fxt_event *event)
{
    struct fxt_arg arg;
    struct fxt_error error;
    struct fxt_args args = event->args;

    if (fxt_args_next(&args, &arg, &error) != FXT_OK)
        x_fail("archive %u has an event without its argument", number);
    find(number, arg.value);
}

/* The manager has blobs of its own, with longer names. */
static void read_blob(unsigned number, const struct fxt_blob *blob)
{
    static uint8_t payload[LAW_BLOB_MAX];
    uint64_t id;

    if (fxt_string_ref_length(blob->name) != 1)
        return;
    if (blob->payload.size < 8)
        x_fail("archive %u has a blob of %" PRIu64 " bytes", number, blob->payload.size);
    memcpy(&id, blob->payload.bytes, 8);
    find(number, id);
    law_payload(payload, (uint32_t)id);
    if (blob->payload.size != law_events[id].bytes ||
        memcmp(blob->payload.bytes, payload, law_events[id].bytes) != 0)
        x_fail("archive %u has another payload in blob %" PRIu64, number, id);
}

static void read_record(unsigned number, const struct fxt_record *record)
{
    struct fxt_event event;
    struct fxt_blob blob;
    struct fxt_error error;

    if (record->type == FXT_RECORD_EVENT && fxt_read_event(record, &event, &error) == FXT_OK)
        read_event(number, &event);
    else if (record->type == FXT_RECORD_BLOB && fxt_read_blob(record, &blob, &error) == FXT_OK)
        read_blob(number, &blob);
}

/* Circular: the buffer has the last two laps, or one where the other half is being used again. An
   event is of the lap in which its call began, or of one before or some after it. */
static bool must_be(const struct law_event *event, const struct law_ring *ring, bool here)
{
    return !ring->circular || ring->wrapped == 0 || here ||
           (ring->both && event->wrapped >= ring->wrapped);
}

static void check_all_there(unsigned number, const struct law_ring *ring)
{
    bool here[LAW_THREADS_MAX] = {false};

    for (uint32_t id = 0; id < law_count; id++) {
        const struct law_event *event = &law_events[id];
        bool promised = is_certain(event) && (event->promise >> number & 1) != 0;
        if (promised && !found[id] && must_be(event, ring, here[event->thread]))
            x_fail("archive %u has no event %u, which was recorded", number, id);
        if (promised && found[id])
            here[event->thread] = true;
    }
}

void law_judge(unsigned number, const uint8_t *bytes, size_t size, const struct law_ring *ring)
{
    static struct fuzz_judge judge;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    memset(found, 0, law_count);
    memset(last, -1, sizeof last);
    fuzz_judge_begin(&judge, FUZZ_JUDGE_PROVIDERS);
    fxt_reader_init(&reader, bytes, size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        if (!fuzz_judge_is_good(&judge, &record))
            x_fail("archive %u has a record at %" PRIu64 " that breaks the format", number,
                   record.offset);
        read_record(number, &record);
    }
    if (status != FXT_END)
        x_fail("archive %u is malformed behind its first %" PRIu64 " bytes", number,
               reader.position);
    check_all_there(number, ring);
}
