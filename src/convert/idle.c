/* See idle.h. No state. */
#include "src/convert/idle.h"

#include <string.h>

bool fxt_convert_is_idle(const struct fxt_tables *tables, struct fxt_thread_ref thread,
                         uint16_t priority)
{
    struct fxt_thread_ref koids = thread;
    if (thread.ref != 0 && !fxt_tables_thread(tables, &koids, thread))
        return false;
    return koids.thread == 0 || (thread.ref == 0 && koids.process == 0 && priority == 0);
}

int32_t fxt_convert_weight(const struct fxt_tables *tables, struct fxt_args args, const char *name)
{
    struct fxt_arg arg;
    struct fxt_error error;
    struct fxt_bytes key;
    int32_t weight = 0;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK)
        if (arg.type == FXT_ARG_INT32 && fxt_tables_string(tables, &key, arg.name) &&
            key.size == strlen(name) && memcmp(key.bytes, name, (size_t)key.size) == 0)
            weight = (int32_t)fxt_arg_int64(&arg);
    return weight;
}
