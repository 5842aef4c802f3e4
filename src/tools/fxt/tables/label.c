/* Labels of processes and threads. No state. */
#include "src/tools/fxt/tables/label.h"

#include <stdio.h>
#include <string.h>

#include <lib/trace-engine/types.h>

#define LABEL_NAME_MAX 1000 /* a small record can give a long name to one more thread */

static uint32_t label(struct texts *texts, const char *what, uint32_t name, uint64_t koid)
{
    char text[LABEL_NAME_MAX + 32];
    struct fxt_bytes bytes = {(const uint8_t *)what, strlen(what)};
    if (name != ROW_NONE && texts_at(texts, name).size > 0)
        bytes = texts_at(texts, name);
    int length = (int)trace_i_cut((const char *)bytes.bytes, bytes.size, LABEL_NAME_MAX);
    int size = snprintf(text, sizeof text, "%.*s %llu", length, (const char *)bytes.bytes,
                        (unsigned long long)koid);
    return texts_add(texts, (struct fxt_bytes){(const uint8_t *)text, (uint64_t)size});
}

uint32_t label_process(struct timeline *timeline, uint32_t process)
{
    const struct process_row *row = processes_at(timeline, process);
    return label(&timeline->texts, "process", row->name, row->koid);
}

uint32_t label_thread(struct timeline *timeline, uint32_t thread)
{
    const struct thread_row *row = threads_at(timeline, thread);
    return row->ref != 0 ? row->name : label(&timeline->texts, "thread", row->name, row->koid);
}
