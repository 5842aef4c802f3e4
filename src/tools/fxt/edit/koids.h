/* A set of koids of bounded size, and a map from threads to their processes. Each trace of a file has
   koids of its own (MET-10). */
#ifndef FXT_TOOLS_FXT_EDIT_KOIDS_H
#define FXT_TOOLS_FXT_EDIT_KOIDS_H

#include <stdbool.h>
#include <stdint.h>

#include "src/cli/size.h"

#define KOIDS_SLOTS TOOL_SIZE(131072u) /* a power of two; half of them are used */

struct koids_entry {
    uint64_t koid;
    uint64_t trace; /* from 1; 0: free */
};

struct koids {
    uint64_t seed;
    uint32_t count;
    struct koids_entry it[KOIDS_SLOTS];
};

/* trace: from 0. False: there is no room. koids: zeroed. */
bool koids_add(struct koids *koids, uint64_t trace, uint64_t koid);

bool koids_have(const struct koids *koids, uint64_t trace, uint64_t koid);

struct koids_processes {
    struct koids threads;
    uint64_t of[KOIDS_SLOTS];
};

/* The first process that a thread gets stays. False: there is no room. */
bool koids_set_process(struct koids_processes *processes, uint64_t trace, uint64_t thread,
                       uint64_t process);

/* 0: not known. */
uint64_t koids_process(const struct koids_processes *processes, uint64_t trace, uint64_t thread);

#endif
