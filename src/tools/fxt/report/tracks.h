/* Who has events: providers, processes and threads, over all traces of a file. */
#ifndef FXT_TOOLS_FXT_REPORT_TRACKS_H
#define FXT_TOOLS_FXT_REPORT_TRACKS_H

#include <fxt/tables.h>

#include "src/cli/memory.h"
#include "src/timeline/pairing.h"
#include "src/cli/size.h"
#include "src/tools/fxt/report/names.h"

#define TRACKS_MAX TOOL_SIZE(65536u) /* of each */

#define TRACK_OTHERS 0u /* of everything that found no room */

struct track_provider {
    uint32_t id;
    uint32_t name; /* a label; NAME_OTHERS until it is made */
    uint32_t trace;
    bool introduced;
    uint64_t full_events; /* provider events "buffer full" */
};

struct track_process {
    uint64_t koid;
    uint32_t trace;
    uint32_t name;
};

/* A thread of a provider. */
struct track {
    uint64_t koid;
    uint32_t provider;
    uint32_t process; /* TRACK_OTHERS with `ref` */
    uint32_t name;    /* with the process's */
    uint32_t thread;  /* the first track of it, of whatever provider */
    uint16_t ref;     /* of a thread that is not registered, else 0 */
    struct pairing durations;
};

struct tracks {
    const struct fxt_tables *tables;
    uint32_t trace; /* counts the traces of the file (MET-10), from 1 */
    uint32_t provider_count;
    uint32_t process_count;
    uint32_t count;
    uint32_t first_provider; /* of this trace */
    uint32_t first_of_trace; /* of the threads */
    bool full;
    uint32_t current[TOOL_PROVIDERS]; /* of this trace, by their place in the tables; 0: none yet */
    struct map process_numbers;
    struct map numbers;
    struct map object_names;
    struct track_provider providers[TRACKS_MAX];
    struct track_process processes[TRACKS_MAX];
    struct track it[TRACKS_MAX];
};

/* tracks: zeroed. */
void tracks_init(struct tracks *tracks, const struct fxt_tables *tables);

/* The provider of the records that follow. */
uint32_t tracks_provider(struct tracks *tracks);

uint32_t tracks_find(struct tracks *tracks, struct fxt_thread_ref ref);

/* The name that a kernel object record gives a process, or a thread of a process; a later one replaces it.
   process: NULL if the record does not say it. */
void tracks_name_process(struct tracks *tracks, uint64_t koid, uint32_t name);
void tracks_name_thread(struct tracks *tracks, uint64_t koid, const uint64_t *process,
                        uint32_t name);

/* To be called before the tables forget the trace: makes the labels of what it had. */
void tracks_end_trace(struct tracks *tracks, struct names *names, struct fxt_tables *tables);

#endif
