/* Files without a name, which end with the program: in $TMPDIR, or else in /tmp. */
#ifndef FXT_CLI_TEMPORARY_H
#define FXT_CLI_TEMPORARY_H

#include <stdbool.h>
#include <stddef.h>

/* An empty file, open for reading and writing; -1 after a message. `file`: named in messages. */
int temporary_open(const char *file);

/* Appends all of the bytes. False after a message. */
bool temporary_write(int fd, const char *file, const void *bytes, size_t size);

#endif
