/* A target with a mistake: what every fuzzing setup here must find, or it would find nothing else
   either. Events of two arguments or more are decoded as if they were one word longer than they
   are; when such a record is the last one, its tail lies beyond the input. */
#include <fxt/read.h>

#include "fuzz/lib/oracle.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void decode(const struct fxt_record *record)
{
    struct fxt_record longer = *record;
    struct fxt_event event;
    struct fxt_error error;

    if (fxt_read_event(record, &event, &error) != FXT_OK || event.args.count < 2)
        return;
    longer.words++;
    if (fxt_read_event(&longer, &event, &error) == FXT_OK && event.tail.words > 0)
        FUZZ_CHECK(fxt_tail_word(&event.tail, event.tail.words - 1) != UINT64_C(0x5eed));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;

    fxt_reader_init(&reader, copy.bytes, size);
    while (fxt_reader_next(&reader, &record, &error) == FXT_OK)
        decode(&record);
    fuzz_release(&copy);
    return 0;
}
