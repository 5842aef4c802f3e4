// The public headers of the format in a program in C++, linked with the library in C.
#include <fxt/buffer.h>
#include <fxt/check.h>
#include <fxt/intern.h>
#include <fxt/read.h>
#include <fxt/write.h>

#include <cassert>
#include <cstring>

int main()
{
    uint8_t bytes[256];
    fxt_writer writer;
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_event event = {};
    event.event_type = FXT_EVENT_INSTANT;
    event.thread = fxt_thread_inline(7, 8);
    event.category = fxt_string_inline("c", 1);
    event.name = fxt_string_inline("name", 4);
    const fxt_arg arg = fxt_make_int32(fxt_string_inline("n", 1), -1);
    assert(fxt_write_magic(&writer) == FXT_OK);
    assert(fxt_write_event(&writer, &event, &arg, 1) == FXT_OK);

    fxt_reader reader;
    fxt_record record;
    fxt_error error;
    fxt_event read;
    fxt_arg args[FXT_ARGS_MAX];
    fxt_reader_init(&reader, bytes, writer.size);
    assert(fxt_reader_next(&reader, &record, &error) == FXT_OK);
    assert(fxt_reader_next(&reader, &record, &error) == FXT_OK);
    assert(fxt_read_event_args(&record, &read, args, &error) == FXT_OK);
    assert(read.name.ref == event.name.ref && std::memcmp(read.name.bytes, "name", 4) == 0);
    assert(read.args.count == 1 && fxt_arg_int64(&args[0]) == -1);
    assert(fxt_reader_next(&reader, &record, &error) == FXT_END);
    return 0;
}
