/* The subtypes of records, and the words of a tail. */
#include <fxt/read.h>

#include "src/base/word.h"
#include "src/wire/layout.h"

uint8_t fxt_record_metadata_type(const struct fxt_record *record)
{
    return fxt_metadata_header_metadata_type(record->header);
}

uint8_t fxt_record_scheduling_type(const struct fxt_record *record)
{
    return fxt_scheduling_header_scheduling_type(record->header);
}

uint8_t fxt_record_profiler_type(const struct fxt_record *record)
{
    return fxt_profiler_header_profiler_type(record->header);
}

uint8_t fxt_record_large_type(const struct fxt_record *record)
{
    return fxt_large_header_large_type(record->header);
}

uint8_t fxt_record_blob_format(const struct fxt_record *record)
{
    return fxt_large_blob_header_blob_format(record->header);
}

uint64_t fxt_tail_word(const struct fxt_tail *tail, uint32_t index)
{
    return fxt_load_word(tail->bytes + UINT64_C(8) * index);
}
