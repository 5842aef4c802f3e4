/* See idle.h. No state. */
#include "src/convert/idle.h"

#include "src/convert/args.h"

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
    bool has_weight = fxt_convert_find_arg(&arg, tables, args, FXT_ARG_INT32, name);
    return has_weight ? (int32_t)fxt_arg_int64(&arg) : 0;
}
