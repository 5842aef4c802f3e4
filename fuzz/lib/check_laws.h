/* What can be said of the findings of one record by itself. */
#ifndef FXT_FUZZ_CHECK_LAWS_H
#define FXT_FUZZ_CHECK_LAWS_H

#include <fxt/check.h>

/* `count` is what fxt_check_record returned for this record. */
void fuzz_check_laws(const struct fxt_checker *checker, const struct fxt_record *record,
                     uint32_t count);

/* Whether bytes are UTF-8, worked out a second time. */
bool fuzz_utf8(const uint8_t *bytes, uint64_t size);

#endif
