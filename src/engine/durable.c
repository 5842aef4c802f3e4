/* Definitions: the records to which others refer. In circular and streaming mode they go to the
   durable part, one after the other. When that is full, records name their strings and threads
   inline, and names of threads are left out. In oneshot mode there is no durable part, and
   definitions have chunks of their own. When a new chunk is taken, all leases become void, so
   that a record that then refers to a definition is written after it.

   Definitions are encoded outside the buffer and moved there in one piece, with the first word
   last: its store releases the record to readers of the buffer. Any traced thread may define.
   Everything here, including the scratch memory, is under the lock of tables, which the callers
   hold. */
#include <string.h>

#include "src/engine/engine.h"

static uint64_t scratch[(FXT_RECORD_BYTES_MAX + 8) / 8 + 64];

static struct fxt_writer writer;

static uint64_t room(void)
{
    assert(fxt_i_engine.durable_next <= fxt_i_engine.durable_end);
    return (uint64_t)(fxt_i_engine.durable_end - fxt_i_engine.durable_next);
}

static bool take_chunk(struct trace_context *context, uint64_t bytes)
{
    struct fxt_i_chunks chunks;

    if (!fxt_i_take_chunks(context, &chunks, bytes))
        return false;
    fxt_i_engine.durable_next = chunks.next;
    fxt_i_engine.durable_end = chunks.end;
    fxt_i_open(chunks.half);
    return true;
}

struct fxt_writer *fxt_i_definition_begin(struct trace_context *context, uint64_t bytes)
{
    assert(fxt_i_lock_is_held(&fxt_i_engine.table_lock));
    assert(bytes % 8 == 0 && writer.size == 0);
    if (room() < bytes &&
        (fxt_i_engine.mode != TRACE_BUFFERING_MODE_ONESHOT || !take_chunk(context, bytes)))
        return NULL;
    fxt_writer_init(&writer, (uint8_t *)scratch, room() < sizeof scratch ? room() : sizeof scratch);
    return &writer;
}

static bool is_for_names(uint64_t bytes)
{
    uint64_t used = (uint64_t)(fxt_i_engine.durable_next - fxt_i_engine.durable_bytes);

    return fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT ||
           used + bytes <= fxt_i_engine.header.durable_size / 2;
}

struct fxt_writer *fxt_i_definition_begin_name(struct trace_context *context, uint64_t bytes)
{
    struct fxt_writer *found = NULL;

    if (is_for_names(bytes))
        found = fxt_i_definition_begin(context, bytes);
    if (found == NULL)
        fxt_i_count_inlined();
    return found;
}

void fxt_i_definition_end(void)
{
    uint8_t *place = fxt_i_engine.durable_next;
    uint8_t *next = place + writer.size;

    assert(fxt_i_lock_is_held(&fxt_i_engine.table_lock));
    if (writer.size == 0)
        return;
    assert(writer.size % 8 == 0 && writer.size <= room() && (uintptr_t)place % 8 == 0);
    if (fxt_i_engine.mode != TRACE_BUFFERING_MODE_ONESHOT)
        fxt_i_put_header(FXT_I_HEADER_DURABLE_END, (uint64_t)(next - fxt_i_engine.durable_bytes));
    memcpy(place + 8, (uint8_t *)scratch + 8, (size_t)(writer.size - 8));
    fxt_i_put_record(place, room(), writer.size, fxt_i_little(scratch[0]));
    fxt_i_engine.durable_next = next;
    writer.size = 0;
}

void fxt_i_definitions_clear(void)
{
    uint8_t *first = fxt_i_engine.buffer + FXT_BUFFER_HEADER_BYTES;

    assert(fxt_i_lock_is_held(&fxt_i_engine.table_lock));
    assert(fxt_i_engine.header.durable_size % 8 == 0);
    writer.size = 0; /* in a forked child, one that another thread of the parent had begun */
    fxt_i_engine.durable_bytes = first;
    fxt_i_engine.durable_next = first;
    fxt_i_engine.durable_end = first + fxt_i_engine.header.durable_size;
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_STREAMING) { /* see append_filler in part.c */
        fxt_i_engine.durable_end -= 8;
        fxt_i_prepare(fxt_i_engine.durable_end, fxt_i_filler(8));
    }
    if (fxt_i_engine.durable_end != first)
        fxt_i_publish(first, fxt_i_filler((uint64_t)(fxt_i_engine.durable_end - first)));
}
