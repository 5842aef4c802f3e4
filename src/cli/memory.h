/* The memory of the library's tables, the same for every command. */
#ifndef FXT_CLI_MEMORY_H
#define FXT_CLI_MEMORY_H

#include <stdbool.h>

#include <fxt/check.h>

#include "src/cli/size.h"

/* The limits of the tool; fxt.1 states them. The library uses half of the slots of objects and
   threads. It uses all slots of opens; up to half of them, each one surely finds room. */
#define TOOL_PROVIDERS 256u
#define TOOL_OBJECTS TOOL_SIZE(131072u)
#define TOOL_THREADS TOOL_SIZE(131072u)
#define TOOL_OPENS TOOL_SIZE(262144u)
#define TOOL_ARENA_BYTES TOOL_SIZE(UINT64_C(64) << 20)

/* Zero pages that take memory only when they are used. They live until the program ends, and the
   next file uses them again. False after a message. */
bool memory_get(struct fxt_check_memory *memory);

/* The same for a second file that is read at the same time. */
bool memory_get_second(struct fxt_check_memory *memory);

/* Reports full tables, if `status` says so, once for each file, whose flag is `told`. The output
   is then incomplete, and the exit code must tell. */
void memory_report_full(const char *file, bool *told, enum fxt_status status);

/* Zeroed bytes, or NULL after a message. */
void *memory_zeroed(size_t size);

#endif
