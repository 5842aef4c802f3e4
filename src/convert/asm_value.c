/* Values: references, named numbers, arguments. Called by asm_record.c; strings lie in the scratch
   memory of the line. */
#include "src/convert/args.h"
#include "src/convert/asm.h"

bool fxt_asm_string_ref(struct fxt_asm_cursor *cursor, struct fxt_string_ref *ref)
{
    const char *first = fxt_asm_here(cursor);
    struct fxt_bytes bytes;
    uint64_t index;
    if (fxt_asm_take(cursor, '@')) {
        if (!fxt_asm_number(cursor, &index, FXT_STRING_INDEX_MAX))
            return false;
        *ref = fxt_string_index((uint32_t)index);
        return true;
    }
    if (!fxt_asm_bytes(cursor, &bytes))
        return false;
    if (bytes.size > FXT_STRING_INDEX_MAX)
        return fxt_asm_fail(cursor, first, "the string is longer than 32767 bytes");
    *ref = fxt_string_inline(bytes.bytes, (size_t)bytes.size);
    return true;
}

bool fxt_asm_thread_ref(struct fxt_asm_cursor *cursor, struct fxt_thread_ref *ref,
                        bool process_only)
{
    uint64_t number;
    uint64_t thread = 0;
    if (fxt_asm_take(cursor, '@')) {
        const char *first = cursor->at;
        if (!fxt_asm_number(cursor, &number, FXT_THREAD_INDEX_MAX))
            return false;
        if (number == 0)
            return fxt_asm_fail(cursor, first, "thread index 0 means inline: write process/thread");
        *ref = fxt_thread_index((uint32_t)number);
        return true;
    }
    if (!fxt_asm_number(cursor, &number, UINT64_MAX))
        return false;
    if (!process_only && (!fxt_asm_need(cursor, '/', "a thread is @index or process/thread") ||
                          !fxt_asm_number(cursor, &thread, UINT64_MAX)))
        return false;
    *ref = fxt_thread_inline(number, thread);
    return true;
}

bool fxt_asm_named(struct fxt_asm_cursor *cursor, uint16_t *number,
                   const struct fxt_convert_names *names)
{
    const char *name;
    size_t length;
    char c = fxt_asm_peek(cursor);
    if (c >= '0' && c <= '9') {
        uint64_t value;
        if (!fxt_asm_number(cursor, &value, UINT8_MAX))
            return false;
        *number = (uint16_t)value;
        return true;
    }
    if (!fxt_asm_name(cursor, &name, &length))
        return false;
    return fxt_convert_number_of(names, number, name, length) ||
           fxt_asm_fail(cursor, name, "no such name for this number");
}

static bool boolean(struct fxt_asm_cursor *cursor, uint64_t *value)
{
    const char *name;
    size_t length;
    if (!fxt_asm_name(cursor, &name, &length))
        return false;
    *value = fxt_convert_text_is(name, length, "true");
    return *value == 1 || fxt_convert_text_is(name, length, "false") ||
           fxt_asm_fail(cursor, name, "true or false was expected here");
}

static bool arg_value(struct fxt_asm_cursor *cursor, struct fxt_arg *arg)
{
    switch (fxt_convert_arg_shape(arg)) {
    case FXT_CONVERT_ARG_NOTHING:
        return true;
    case FXT_CONVERT_ARG_INT32:
        if (!fxt_asm_signed(cursor, &arg->value, 32))
            return false;
        arg->value %= UINT64_C(1) << 32;
        return true;
    case FXT_CONVERT_ARG_UINT32:
        return fxt_asm_number(cursor, &arg->value, UINT32_MAX);
    case FXT_CONVERT_ARG_INT64:
        return fxt_asm_signed(cursor, &arg->value, 64);
    case FXT_CONVERT_ARG_DOUBLE:
        return fxt_asm_double(cursor, &arg->value);
    case FXT_CONVERT_ARG_STRING:
        return fxt_asm_string_ref(cursor, &arg->text);
    case FXT_CONVERT_ARG_BOOL:
        return boolean(cursor, &arg->value);
    case FXT_CONVERT_ARG_BLOB:
        return fxt_asm_bytes(cursor, &arg->blob);
    default: /* 64 bits without a sign */
        return fxt_asm_number(cursor, &arg->value, UINT64_MAX);
    }
}

static bool one_arg(struct fxt_asm_cursor *cursor, struct fxt_arg *arg)
{
    const char *name;
    size_t length;
    memset(arg, 0, sizeof *arg);
    if (!fxt_asm_string_ref(cursor, &arg->name) || !fxt_asm_name(cursor, &name, &length))
        return false;
    if (!fxt_convert_number_of(&fxt_convert_arg_types, &arg->type, name, length))
        return fxt_asm_fail(cursor, name, "no such type of argument");
    return arg_value(cursor, arg);
}

/* After the '{'. */
bool fxt_asm_args(struct fxt_asm_cursor *cursor, struct fxt_arg *args, size_t *count)
{
    *count = 0;
    if (fxt_asm_take(cursor, '}'))
        return true;
    do {
        if (*count == FXT_ARGS_MAX)
            return fxt_asm_fail(cursor, cursor->at, "a record has at most 15 arguments");
        if (!one_arg(cursor, &args[*count]))
            return false;
        (*count)++;
    } while (fxt_asm_take(cursor, ','));
    return fxt_asm_need(cursor, '}', "',' or '}' was expected here");
}
