/* Arguments by their names. No state. */
#include "src/convert/args.h"

#include "src/convert/names.h"

bool fxt_convert_find_arg(struct fxt_arg *found, const struct fxt_tables *tables,
                          struct fxt_args args, uint32_t type, const char *name)
{
    struct fxt_arg arg;
    struct fxt_error error;
    struct fxt_bytes key;
    bool is_found = false;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK)
        if ((type == FXT_CONVERT_ANY_TYPE || arg.type == type) &&
            fxt_tables_string(tables, &key, arg.name) &&
            fxt_convert_text_is((const char *)key.bytes, (size_t)key.size, name)) {
            *found = arg;
            is_found = true;
        }
    return is_found;
}
