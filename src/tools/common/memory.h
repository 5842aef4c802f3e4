/* The memory that the library's tables live in, the same for every command. */
#ifndef FXT_TOOLS_COMMON_MEMORY_H
#define FXT_TOOLS_COMMON_MEMORY_H

#include <stdbool.h>

#include <fxt/check.h>

/* The limits of the tool; fxt.1 states them. Of the slots of objects and threads the library uses
   half. Those of opens it uses all; up to a half of them, each finds room. */
#define TOOL_PROVIDERS 256u
#define TOOL_OBJECTS 131072u
#define TOOL_THREADS 131072u
#define TOOL_OPENS 262144u
#define TOOL_ARENA_BYTES (UINT64_C(64) << 20)

/* Zero pages that cost nothing until they are used; they live until the program ends, and the next
   file uses them again. False after a message. */
bool memory_get(struct fxt_check_memory *memory);

/* Tells once a file, whose flag `told` is, that the tables are full, when `status` says so. What is
   printed is not all right then: the exit code is to tell. */
void memory_tell_full(const char *file, bool *told, enum fxt_status status);

/* Zero bytes, or NULL after a message. */
void *memory_zeroed(size_t size);

#endif
