/* Values in JSON text that fuzz_json_valid has accepted. */
#ifndef FXT_FUZZ_VALUE_H
#define FXT_FUZZ_VALUE_H

#include <stdbool.h>

#include <fxt/record.h>

struct value {
    const char *at;
    const char *end;
};

/* The whole text, without the white space around it. */
struct value value_of(const char *text, size_t size);

/* Takes the next line off: its value. False: there is none. */
bool value_line(struct value *lines, struct value *line);

/* Takes the next element of an array off, or the next value of an object with its name. Both begin
   with value_inside. */
struct value value_inside(struct value list);
bool value_next(struct value *rest, struct value *element);
bool value_next_member(struct value *rest, struct value *name, struct value *value);

/* The member of that name. False: there is none. */
bool value_has(struct value object, const char *name, struct value *value);

/* The member, which has to be there. */
struct value value_member(struct value object, const char *name);

bool value_is(struct value value, const char *text);

/* Whether a string is this text. A text that is no UTF-8 is not looked at. */
bool value_is_text(struct value value, struct fxt_bytes text);

/* Digits alone, which fit, or a string of such. */
bool value_number(struct value value, uint64_t *number);

/* The number of a member, which has to be one. */
uint64_t value_u64(struct value object, const char *name);

#endif
