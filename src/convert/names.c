/* The tables of names, and nothing else. A number without a name is printed as a number, by every
   printer, and the assembler takes both. The names are part of the canonical JSON form: see
   conformance/schema/dump.md before changing one. */
#include "src/convert/names.h"

#include <string.h>

#include "src/convert/args.h"

#define NAME(number, name, word, shape) [number] = name,
#define SHAPE(number, name, word, shape) [number] = FXT_CONVERT_ARG_##shape,

const uint8_t fxt_convert_arg_shapes[16] = {FXT_CONVERT_ARG_TYPES(SHAPE)};

#define NAMES(which, ...)                                                                          \
    static const char *const which##_list[] = {__VA_ARGS__};                                       \
    const struct fxt_convert_names fxt_convert_##which = {                                         \
        which##_list, (uint8_t)(sizeof which##_list / sizeof which##_list[0])}

NAMES(event_types, "instant", "counter", "duration_begin", "duration_end", "duration_complete",
      "async_begin", "async_instant", "async_end", "flow_begin", "flow_step", "flow_end");
NAMES(scopes, "thread", "process", "global");
NAMES(arg_types, FXT_CONVERT_ARG_TYPES(NAME));
NAMES(blob_types, NULL, "data", "last_branch", "perfetto");
NAMES(object_types, NULL, "process", "thread");
NAMES(thread_states, "new", "running", "suspended", "blocked", "dying", "dead");
NAMES(provider_events, "buffer_full");

const char *fxt_convert_name_of(const struct fxt_convert_names *names, uint64_t number)
{
    return number < names->count ? names->names[number] : NULL;
}

bool fxt_convert_text_is(const char *text, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(text, name, length) == 0;
}

bool fxt_convert_number_of(const struct fxt_convert_names *names, uint16_t *number,
                           const char *name, size_t length)
{
    for (uint8_t i = 0; i < names->count; i++) {
        if (names->names[i] != NULL && fxt_convert_text_is(name, length, names->names[i])) {
            *number = i;
            return true;
        }
    }
    return false;
}

const char *fxt_convert_error_name(enum fxt_status status)
{
    switch (status) {
    case FXT_TRUNCATED:
        return "truncated";
    case FXT_ZERO_SIZE:
        return "zero_size";
    case FXT_BYTE_ORDER:
        return "byte_order";
    case FXT_FULL:
        return "too_large";
    default:
        return "error";
    }
}
