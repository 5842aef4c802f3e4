/* Reads the field "timestamp" of any kind of record, by the table of kinds. The state is struct
   when: the first time of the file. Called before each line of fxt dump. */
#include "src/tools/fxt/when.h"

#include <stdio.h>
#include <string.h>

#include "src/convert/kinds.h"

#define NS UINT64_C(1000000000)
#define COLUMNS 22 /* -18446744073.709551615 */

static bool ticks_of(uint64_t *ticks, const struct fxt_record *record)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(record);
    union fxt_convert_any any;
    struct fxt_error error;
    if (kind == NULL || kind->decode(record, &any, &error) != FXT_OK)
        return false;
    for (size_t i = 0; i < kind->field_count; i++) {
        const struct fxt_convert_field *field = &kind->fields[i];
        if (strcmp(field->name, "timestamp") == 0 && fxt_convert_has(kind, &any, field->only)) {
            *ticks = fxt_convert_number(&any, field);
            return true;
        }
    }
    return false;
}

static void spaces(struct fxt_out *out, int count)
{
    for (int i = 0; i < count; i++)
        fxt_out_char(out, ' ');
}

void when_skip(struct fxt_out *out, const struct when *when)
{
    if (when->from != WHEN_NOT)
        spaces(out, COLUMNS + 1);
}

void when_print(struct fxt_out *out, struct when *when, const struct fxt_tables *tables,
                const struct fxt_record *record)
{
    uint64_t ticks;
    if (when->from == WHEN_NOT || !ticks_of(&ticks, record)) {
        when_skip(out, when);
        return;
    }
    uint64_t ns = fxt_ticks_to_ns(ticks, fxt_tables_provider(tables)->ticks_per_second);
    if (!when->started) {
        when->started = true;
        when->start = when->from == WHEN_START ? ns : 0;
    }
    bool before = ns < when->start;
    uint64_t distance = before ? when->start - ns : ns - when->start;
    char text[COLUMNS + 2];
    int size = snprintf(text, sizeof text, "%s%llu.%09llu ", before ? "-" : "",
                        (unsigned long long)(distance / NS), (unsigned long long)(distance % NS));
    spaces(out, COLUMNS + 1 - size);
    fxt_out_text(out, text);
}
