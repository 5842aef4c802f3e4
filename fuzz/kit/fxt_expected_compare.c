/* For expected_test.py: FILE LINES [FILE LINES ...]. What fxt_fuzz_expected prints of each file are the
   lines of the other one. It prints everything, or SOME, or something UNKNOWN. */
#include <stdio.h>
#include <stdlib.h>

#include "fxt_fuzz.h"

const char fxt_fuzz_parts[] =
#if defined SOME
    "instant ts arg.int32";
#elif defined UNKNOWN
    "instant int32";
#else
    "instant counter duration_begin duration_end duration_complete async_begin async_instant "
    "async_end flow_begin flow_step flow_end blob userspace_object kernel_object context_switch "
    "thread_wakeup log module mmap backtrace large_blob provider process thread ts ns category "
    "name scope id end end_ns message blob_type blob_format payload pointer object_type koid cpu "
    "outgoing_state outgoing_thread incoming_thread waking_thread module_id build_id flags "
    "start_address address_range vaddr frames arg arg.null arg.int32 arg.uint32 arg.int64 "
    "arg.uint64 arg.double arg.string arg.pointer arg.koid arg.bool arg.blob";
#endif

static const char *lines_path;

static void read_lines(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    FILE *file = fopen(lines_path, "r");
    (void)bytes;
    (void)size;
    if (file == NULL)
        exit(2);
    while ((length = getline(&line, &room, file)) > 0)
        fxt_fuzz_line(out, "%.*s", (int)length - 1, line);
    free(line);
    fclose(file);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        exit(2);
    *size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return bytes;
}

int main(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i += 2) {
        size_t size;
        const uint8_t *bytes = read_file(argv[i], &size);
        lines_path = argv[i + 1];
        fprintf(stderr, "%s\n", argv[i]);
        fxt_fuzz_diff(bytes, size, fxt_fuzz_expected, read_lines);
    }
    return 0;
}
