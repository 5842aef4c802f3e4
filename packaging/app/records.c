/* Writes two records and reads them back. C99 and C++11. */
#include <stdio.h>
#include <string.h>

#ifdef AMALGAMATION
#include "fxtref.h"
#else
#include <fxt/read.h>
#include <fxt/version.h>
#include <fxt/write.h>
#endif

int main(void)
{
    uint8_t bytes[256];
    struct fxt_writer writer;
    struct fxt_event event;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    memset(&event, 0, sizeof event);
    event.event_type = FXT_EVENT_INSTANT;
    event.timestamp = 1000;
    event.thread = fxt_thread_inline(7, 8);
    event.category = fxt_string_inline("example", 7);
    event.name = fxt_string_inline("hello", 5);
    fxt_writer_init(&writer, bytes, sizeof bytes);
    if (fxt_write_magic(&writer) != FXT_OK || fxt_write_event(&writer, &event, NULL, 0) != FXT_OK)
        return 1;

    memset(&event, 0, sizeof event);
    fxt_reader_init(&reader, bytes, writer.size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        fxt_read_event(&record, &event, &error);
    printf("fxtref %s: %d bytes, %.5s at %d\n", fxt_version(), (int)writer.size,
           (const char *)event.name.bytes, (int)event.timestamp);
    return 0;
}
