/* A set of koids of bounded size, and a map from threads to their processes. Each trace of a file has
   koids of its own (MET-10). */
#ifndef FXT_TOOLS_FXT_EDIT_KOIDS_H
#define FXT_TOOLS_FXT_EDIT_KOIDS_H

#include "src/cli/size.h"
#include "src/timeline/map.h"

#define KOIDS_MAX TOOL_SIZE(65536u)

/* trace: from 0. False: there is no room. koids: zeroed. */
bool koids_add(struct map *koids, uint64_t trace, uint64_t koid);

bool koids_have(const struct map *koids, uint64_t trace, uint64_t koid);

/* A koid of a thread is one of its process [WHO-01]; process 0: not known. A map has threads or koids. */
bool koids_add_thread(struct map *threads, uint64_t trace, uint64_t process, uint64_t koid);
void koids_remove_thread(struct map *threads, uint64_t trace, uint64_t process, uint64_t koid);

/* Whether a thread is there, or its koid without a process [WHO-02]. */
bool koids_have_thread(const struct map *threads, uint64_t trace, uint64_t process, uint64_t koid);

struct koids_processes {
    struct map threads;
    uint64_t of[KOIDS_MAX];
};

/* The first process that a thread gets stays. False: there is no room. */
bool koids_set_process(struct koids_processes *processes, uint64_t trace, uint64_t thread,
                       uint64_t process);

/* 0: not known. */
uint64_t koids_process(const struct koids_processes *processes, uint64_t trace, uint64_t thread);

#endif
