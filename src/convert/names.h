/* The format's own names of numbers: argument types, event types, scopes, states. */
#ifndef FXT_CONVERT_NAMES_H
#define FXT_CONVERT_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/status.h>

/* names[i] is the name of i; NULL for numbers without one. */
struct fxt_convert_names {
    const char *const *names;
    uint8_t count;
};

extern const struct fxt_convert_names fxt_convert_event_types;
extern const struct fxt_convert_names fxt_convert_scopes;
extern const struct fxt_convert_names fxt_convert_arg_types;
extern const struct fxt_convert_names fxt_convert_blob_types;
extern const struct fxt_convert_names fxt_convert_object_types;
extern const struct fxt_convert_names fxt_convert_thread_states;
extern const struct fxt_convert_names fxt_convert_provider_events;

/* The name of `number`, or NULL. */
const char *fxt_convert_name_of(const struct fxt_convert_names *names, uint64_t number);

/* The number of that name in *number, or false. */
bool fxt_convert_number_of(const struct fxt_convert_names *names, uint16_t *number,
                           const char *name, size_t length);

/* Whether the `length` bytes at `text` are the string `name`. */
bool fxt_convert_text_is(const char *text, size_t length, const char *name);

/* "truncated", "zero_size", "byte_order", "too_large"; "error" for what the reader never says. */
const char *fxt_convert_error_name(enum fxt_status status);

#endif
