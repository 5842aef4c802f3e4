/* Definitions: the records that others refer to. In circular and streaming mode they go to the
   durable part, one behind the other; when it is full, records name their strings and threads
   themselves (inline), and names of threads are left out. In oneshot mode, where there is none, they
   have chunks of their own: when a new one is taken, all leases become void, so that whoever then
   refers to a definition writes behind it.

   They are encoded beside the buffer and moved there in one piece, with the first word last. */
#include <string.h>

#include "src/engine/engine.h"

static uint64_t scratch[(FXT_RECORD_BYTES_MAX + 8) / 8 + 64];

static struct fxt_writer writer;

static uint64_t room(void)
{
    return (uint64_t)(fxt_i_engine.durable_end - fxt_i_engine.durable_next);
}

void fxt_i_mark_full(void)
{
    fxt_i_store(&fxt_i_engine.full, 1);
    for (int h = 0; h < 2; h++)
        fxt_i_store(&fxt_i_engine.half[h].gate, FXT_I_CLOSED);
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
    if (room() < bytes &&
        (fxt_i_engine.mode != TRACE_BUFFERING_MODE_ONESHOT || !take_chunk(context, bytes)))
        return NULL;
    fxt_writer_init(&writer, (uint8_t *)scratch, room() < sizeof scratch ? room() : sizeof scratch);
    return &writer;
}

void fxt_i_count_inlined(void)
{
    fxt_i_count((uint64_t *)(void *)(fxt_i_engine.buffer + FXT_I_HEADER_INLINED));
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

    if (writer.size == 0)
        return;
    if (fxt_i_engine.mode != TRACE_BUFFERING_MODE_ONESHOT)
        fxt_i_put_header(FXT_I_HEADER_DURABLE_END, (uint64_t)(next - fxt_i_engine.durable_bytes));
    memcpy(place + 8, (uint8_t *)scratch + 8, writer.size - 8);
    if (next != fxt_i_engine.durable_end)
        fxt_i_publish((uint64_t *)(void *)next,
                      fxt_i_filler((uint64_t)(fxt_i_engine.durable_end - next)));
    fxt_i_publish((uint64_t *)(void *)place, scratch[0]);
    fxt_i_engine.durable_next = next;
    writer.size = 0;
}

void fxt_i_definitions_clear(void)
{
    uint8_t *first = fxt_i_engine.buffer + FXT_BUFFER_HEADER_BYTES;

    fxt_i_engine.durable_bytes = first;
    fxt_i_engine.durable_next = first;
    fxt_i_engine.durable_end = first + fxt_i_engine.header.durable_size;
    if (fxt_i_engine.header.durable_size > 0)
        fxt_i_publish((uint64_t *)(void *)first, fxt_i_filler(fxt_i_engine.header.durable_size));
}

uint64_t fxt_i_definitions_bytes(void)
{
    if (fxt_i_engine.mode == TRACE_BUFFERING_MODE_ONESHOT)
        return 0;
    fxt_i_lock(&fxt_i_engine.table_lock);
    uint64_t bytes = (uint64_t)(fxt_i_engine.durable_next - fxt_i_engine.durable_bytes);
    fxt_i_unlock(&fxt_i_engine.table_lock);
    return bytes;
}
