/* Fields of a tracepoint's data, within its bounds: format and data may be damaged. */
#ifndef FXT_KERNEL_FIELD_H
#define FXT_KERNEL_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <traceevent/event-parse.h>

struct fxt_kernel_data {
    const struct tep_event *format;
    const uint8_t *bytes;
    size_t size;
};

/* False if there is no such field, or its value does not fit; *out is then unchanged. */
bool fxt_kernel_field_number(int64_t *out, const struct fxt_kernel_data *data, const char *name);
bool fxt_kernel_field_u32(uint32_t *out, const struct fxt_kernel_data *data, const char *name);
bool fxt_kernel_field_i32(int32_t *out, const struct fxt_kernel_data *data, const char *name);

/* Reads an array of characters of fixed or dynamic length. The result is cut to `size` bytes and
   ends in NUL. */
bool fxt_kernel_field_text(char *out, size_t size, const struct fxt_kernel_data *data,
                           const char *name);

#endif
