/* The trace buffers in a core dump: a program that crashed leaves its memory there. */
#ifndef FXT_TOOLS_FXT_CORE_H
#define FXT_TOOLS_FXT_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core {
    const char *name; /* in messages */
    uint64_t table;   /* offset of the program headers */
    uint32_t count;   /* of these */
    uint32_t next;
    int fd;
    bool failed; /* an error, after a message: exit code 3 */
    bool misses; /* a buffer that is not in the file, after a message */
};

/* A buffer in memory; free `bytes`. */
struct core_buffer {
    uint8_t *bytes;
    size_t size;
};

/* Whether the file is a core dump: ELF of 64 bits, little-endian. If not, or if it cannot be opened,
   there is no message, and nothing to close. Also true after a read error: core->failed. */
bool core_open(struct core *core, const char *path);

/* The next mapping that begins with the magic number of a buffer. False at the end, or if
   core->failed. */
bool core_next(struct core *core, struct core_buffer *buffer);

void core_close(struct core *core);

#endif
