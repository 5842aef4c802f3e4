/* The unmodified bytes of a file: a path or "-", a file or a pipe. */
#ifndef FXT_CLI_RAW_H
#define FXT_CLI_RAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/cli/size.h"

#define RAW_BYTES TOOL_SIZE(131072u)

struct raw {
    const char *name; /* name in messages */
    uint8_t *bytes;   /* unused bytes: begin … end - 1 */
    size_t begin;
    size_t end;
    uint64_t read; /* bytes read so far */
    uint64_t size; /* of the file; 0: unknown */
    int64_t start; /* where raw_rewind goes back to; -1: it cannot */
    int fd;
    bool ended;  /* end of the file: nothing follows `end` */
    bool broken; /* an error: nothing more comes */
    bool failed; /* an error, ever; a message has been printed: exit code 3 */
};

/* False after a message; then there is nothing to close. */
bool raw_open(struct raw *raw, const char *path);

/* Makes raw_rewind possible, before anything is read: what is no regular file is copied to a
   temporary file. False after a message. */
bool raw_keep(struct raw *raw);

/* After raw_keep: goes back to the first byte. False after a message. */
bool raw_rewind(struct raw *raw);

/* Reads the regular file `fd` from its begin instead. False after a message. */
bool raw_replace(struct raw *raw, int fd);

/* Reads the next bytes of the file after those in `bytes`. False at the end, or after an error. */
bool raw_fill(struct raw *raw);

/* Like input_read: first the rest of `bytes`, then the file. */
size_t raw_read(struct raw *raw, uint8_t *to, size_t size);

void raw_close(struct raw *raw);

#endif
