/* The example of docs/library.md finds each event of a trace. */
#include <stdio.h>

#include <fxt/write.h>

#include "docs/use.h"

static unsigned used;

void use(const struct fxt_event *event, const struct fxt_arg *args, unsigned count)
{
    if (event->event_type == FXT_EVENT_INSTANT && count == 1 && args[0].value == 7)
        used++;
}

static void put_event(struct fxt_writer *writer)
{
    const struct fxt_event event = {.thread = fxt_thread_inline(1, 2),
                                    .category = fxt_string_inline("c", 1),
                                    .name = fxt_string_inline("n", 1),
                                    .event_type = FXT_EVENT_INSTANT,
                                    .has_scope = 1};
    const struct fxt_arg arg = {
        .type = FXT_ARG_INT32, .name = fxt_string_inline("a", 1), .value = 7};
    fxt_write_event(writer, &event, &arg, 1);
}

int main(void)
{
    static uint8_t bytes[400];
    struct fxt_writer writer;

    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_magic(&writer);
    put_event(&writer);
    writer.size += 8; /* a word of zeros */
    put_event(&writer);
    bool whole = each_event(bytes, writer.size);
    bool cut = each_event(bytes, writer.size - 8);
    if (used != 3)
        fprintf(stderr, "%u of 3 events\n", used);
    return used != 3 || !whole || cut;
}
