/* The bytes of a file as they are: a path or "-", a file or a pipe. */
#ifndef FXT_TOOLS_COMMON_RAW_H
#define FXT_TOOLS_COMMON_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RAW_BYTES 131072u

struct raw {
    const char *name; /* as messages call it */
    uint8_t *bytes;   /* those that have not been used: begin … end - 1 */
    size_t begin;
    size_t end;
    uint64_t read; /* bytes of the file so far */
    int fd;
    bool ended;  /* nothing follows `end` */
    bool failed; /* a message has been printed: exit code 3 */
};

/* False after a message; then there is nothing to close. */
bool raw_open(struct raw *raw, const char *path);

/* The next bytes of the file, behind those in `bytes`. False at the end, or after an error. */
bool raw_fill(struct raw *raw);

/* As input_read, of what is in `bytes` and then of the file. */
size_t raw_read(struct raw *raw, uint8_t *to, size_t size);

void raw_close(struct raw *raw);

#endif
