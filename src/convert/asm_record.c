/* Records by name: fields of the table in kinds.c are parsed into the struct of the kind, and the
   writer makes the bytes. What the writer refuses is an error here; the raw level exists for it. */
#include "src/base/word.h"
#include "src/convert/asm.h"

#define FIELDS_MAX 16u

struct line {
    union fxt_convert_any any;
    struct fxt_arg args[FXT_ARGS_MAX];
    const char *given[FIELDS_MAX]; /* where the line gives the field, or NULL */
    const char *args_given;
    size_t arg_count;
};

static bool frames(struct fxt_asm_cursor *cursor, struct fxt_backtrace *backtrace)
{
    uint64_t frame;
    uint8_t *room;
    backtrace->frames.bytes = cursor->scratch;
    if (!fxt_asm_need(cursor, '[', "frames are [0x1000,0x2000]"))
        return false;
    if (fxt_asm_take(cursor, ']'))
        return true;
    do {
        if (backtrace->frame_count == UINT8_MAX)
            return fxt_asm_fail(cursor, cursor->at, "a backtrace has at most 255 frames");
        if (!fxt_asm_number(cursor, &frame, UINT64_MAX) || !fxt_asm_scratch(cursor, &room, 8))
            return false;
        fxt_store_word(room, frame);
        backtrace->frames.size += 8;
        backtrace->frame_count++;
    } while (fxt_asm_take(cursor, ','));
    return fxt_asm_need(cursor, ']', "',' or ']' was expected here");
}

static bool number(struct fxt_asm_cursor *cursor, void *at, uint8_t shape)
{
    uint64_t value;
    switch (shape) {
    case FXT_CONVERT_U8:
        if (!fxt_asm_number(cursor, &value, UINT8_MAX))
            return false;
        *(uint16_t *)at = (uint16_t)value;
        return true;
    case FXT_CONVERT_U16:
        if (!fxt_asm_number(cursor, &value, UINT16_MAX))
            return false;
        *(uint16_t *)at = (uint16_t)value;
        return true;
    case FXT_CONVERT_U32:
        if (!fxt_asm_number(cursor, &value, UINT32_MAX))
            return false;
        *(uint32_t *)at = (uint32_t)value;
        return true;
    default:
        return fxt_asm_number(cursor, (uint64_t *)at, UINT64_MAX);
    }
}

static bool field_value(struct fxt_asm_cursor *cursor, union fxt_convert_any *any,
                        const struct fxt_convert_field *field)
{
    void *at = (uint8_t *)any + field->at;
    switch (field->shape) {
    case FXT_CONVERT_SCOPE:
        any->event.has_scope = 1;
        return fxt_asm_named(cursor, (uint16_t *)at, field->names);
    case FXT_CONVERT_NAMED:
    case FXT_CONVERT_WHICH:
        return fxt_asm_named(cursor, (uint16_t *)at, field->names);
    case FXT_CONVERT_TEXT:
    case FXT_CONVERT_PAYLOAD:
        return fxt_asm_bytes(cursor, (struct fxt_bytes *)at);
    case FXT_CONVERT_STRING:
        return fxt_asm_string_ref(cursor, (struct fxt_string_ref *)at);
    case FXT_CONVERT_THREAD:
    case FXT_CONVERT_PROCESS:
        return fxt_asm_thread_ref(cursor, (struct fxt_thread_ref *)at,
                                  field->shape == FXT_CONVERT_PROCESS);
    case FXT_CONVERT_FRAMES:
        return frames(cursor, &any->backtrace);
    default:
        return number(cursor, at, field->shape);
    }
}

static bool key_and_value(struct fxt_asm_cursor *cursor, struct line *line,
                          const struct fxt_convert_kind *kind)
{
    const char *name;
    size_t length;
    size_t i = 0;
    if (!fxt_asm_name(cursor, &name, &length))
        return false;
    while (i < kind->field_count && (kind->fields[i].shape == FXT_CONVERT_WHICH ||
                                     !fxt_convert_text_is(name, length, kind->fields[i].name)))
        i++;
    if (i == kind->field_count || i >= FIELDS_MAX)
        return fxt_asm_fail(cursor, name, "the record has no such field");
    if (line->given[i] != NULL)
        return fxt_asm_fail(cursor, name, "the field is given twice");
    line->given[i] = name;
    return fxt_asm_need(cursor, '=', "'=' was expected here") &&
           field_value(cursor, &line->any, &kind->fields[i]);
}

/* Arguments come last. */
static bool fields(struct fxt_asm_cursor *cursor, struct line *line,
                   const struct fxt_convert_kind *kind)
{
    if (kind->field_count > 0 && kind->fields[0].shape == FXT_CONVERT_WHICH &&
        !field_value(cursor, &line->any, &kind->fields[0]))
        return false;
    while (!fxt_asm_at_end(cursor)) {
        const char *here = cursor->at;
        if (!fxt_asm_take(cursor, '{')) {
            if (!key_and_value(cursor, line, kind))
                return false;
            continue;
        }
        line->args_given = here;
        if (kind->args == FXT_CONVERT_NOWHERE)
            return fxt_asm_fail(cursor, here, "the record has no arguments");
        if (!fxt_asm_args(cursor, line->args, &line->arg_count))
            return false;
        return fxt_asm_at_end(cursor) ||
               fxt_asm_fail(cursor, cursor->at, "nothing may follow the arguments");
    }
    return true;
}

/* Fields that only other events, or the other format of large blobs, have. */
static bool all_exist(struct fxt_asm_cursor *cursor, const struct line *line,
                      const struct fxt_convert_kind *kind)
{
    for (size_t i = 0; i < kind->field_count && i < FIELDS_MAX; i++)
        if (line->given[i] != NULL && !fxt_convert_has(kind, &line->any, kind->fields[i].only))
            return fxt_asm_fail(cursor, line->given[i], "this variant has no such field");
    if (line->args_given != NULL && !fxt_convert_has(kind, &line->any, kind->args_only))
        return fxt_asm_fail(cursor, line->args_given, "this variant has no arguments");
    return true;
}

bool fxt_asm_record(struct fxt_asm_cursor *cursor, struct fxt_asm_sink *sink,
                    const struct fxt_convert_kind *kind)
{
    struct line line;
    struct fxt_writer writer;
    memset(&line, 0, sizeof line);
    if (!fields(cursor, &line, kind) || !all_exist(cursor, &line, kind))
        return false;
    fxt_writer_init(&writer, sink->bytes + sink->size, sink->capacity - sink->size);
    switch (kind->encode(&writer, &line.any, line.args, line.arg_count)) {
    case FXT_OK:
        sink->size += writer.size;
        return true;
    case FXT_FULL:
        return fxt_asm_fail_full(cursor, "the memory for the trace is full");
    default:
        return fxt_asm_fail(cursor, cursor->start,
                            "the writer refuses this: a field out of its range, or a record of "
                            "more than 4095 words; use raw lines");
    }
}
