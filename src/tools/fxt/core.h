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
    bool failed; /* a message has been printed */
};

/* A buffer in memory; free `bytes`. */
struct core_buffer {
    uint8_t *bytes;
    size_t size;
};

/* Whether the file is a core dump: ELF of 64 bits, little-endian. If not, or if it cannot be read,
   there is no message, and nothing to close. */
bool core_open(struct core *core, const char *path);

/* The next mapping that begins with the magic number of a buffer. False at the end, or after a
   message. */
bool core_next(struct core *core, struct core_buffer *buffer);

void core_close(struct core *core);

#endif
