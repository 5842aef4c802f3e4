/* What a replay has to write, worked out a second time. */
#ifndef FXT_FUZZ_KERNEL_MODEL_H
#define FXT_FUZZ_KERNEL_MODEL_H

#include <fxt/read.h>

#include "src/kernel/translate.h"

struct tep_event;

/* One record of a capture, of which ns and cpu are set: the event that it has, or the loss of one if
   it cannot be read. False: nobody asks for such a record. `format` is NULL if it is not described. */
bool kernel_model_decode(struct fxt_kernel_event *out, const struct tep_event *format,
                         const uint8_t *data, size_t size);

/* whole: the buffer has room for everything. Otherwise it drops records, or overwrites them. */
void kernel_model_begin(uint32_t groups, bool whole);

/* The event that was sent, what became of it, and the ticks that it got. */
void kernel_model_put(const struct fxt_kernel_event *sent, const struct fxt_kernel_event *event,
                      uint64_t ticks);

/* The next record of the trace. */
void kernel_model_read(const struct fxt_record *record);

/* After the last record. overwrites: the oldest records may have made room for others. */
void kernel_model_end(const struct fxt_kernel_translation *translation, uint64_t dropped,
                      bool overwrites);

#endif
