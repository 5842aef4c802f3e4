/* Kernel objects as the names of processes and threads; see chrome.h. No state of its own. */
#include "src/convert/chrome_i.h"

/* Perfetto calls a process or thread whose id is a string by that string, anew at each event in the
   order of time: their names have to be the last. Those of threads hold the id of the process, and
   come before its name. Microseconds; in nanoseconds it still fits in 63 bits. */
#define LATE_THREAD "9223372036854774"
#define LATE_PROCESS "9223372036854775"

static const char start[24] = FXT_I_CHROME_START("M");

/* The koid in the argument "process", by which a thread names its process; else 0. */
static uint64_t process_of(const struct fxt_chrome *chrome, struct fxt_args args)
{
    struct fxt_arg arg;
    struct fxt_error error;
    while (fxt_args_next(&args, &arg, &error) == FXT_OK) {
        struct fxt_bytes name;
        if (arg.type == FXT_ARG_KOID && fxt_tables_string(chrome->tables, &name, arg.name) &&
            name.size == 7 && memcmp(name.bytes, "process", 7) == 0)
            return arg.value;
    }
    return 0;
}

enum fxt_status fxt_i_chrome_kernel_object(struct fxt_chrome *chrome,
                                           const struct fxt_record *record)
{
    struct fxt_kernel_object object;
    struct fxt_error error;
    uint16_t hash;

    if (fxt_read_kernel_object(record, &object, &error) != FXT_OK)
        return FXT_MALFORMED;
    if (object.object_type != FXT_OBJECT_PROCESS && object.object_type != FXT_OBJECT_THREAD) {
        chrome->omitted.kernel_objects++;
        return FXT_OK;
    }
    char *to = fxt_i_chrome_begin(chrome, start);
    if (object.object_type == FXT_OBJECT_PROCESS) {
        if (object.koid >= FXT_I_CHROME_PID_LIMIT)
            to = FXT_I_PUT(to, ",\"ts\":" LATE_PROCESS);
        to = FXT_I_PUT(to, ",\"name\":\"process_name\",\"pid\":");
        to = fxt_i_chrome_put_pid(to, object.koid);
    } else {
        uint64_t process = process_of(chrome, object.args);
        if ((process | object.koid) >= FXT_I_CHROME_PID_LIMIT)
            to = FXT_I_PUT(to, ",\"ts\":" LATE_THREAD);
        to = FXT_I_PUT(to, ",\"name\":\"thread_name\"");
        to = fxt_i_chrome_put_thread(chrome, to, fxt_thread_inline(process, object.koid));
    }
    to = FXT_I_PUT(to, ",\"args\":{\"name\":");
    to = fxt_i_chrome_put_string(chrome, to, &hash, object.name);
    *to++ = '}';
    fxt_i_chrome_finish(chrome, to);
    return FXT_OK;
}
