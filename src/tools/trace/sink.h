/* Where a trace goes, byte for byte: a file, stdout or a TCP connection; compressed or not. */
#ifndef FXT_TOOLS_TRACE_SINK_H
#define FXT_TOOLS_TRACE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SINK_PATIENCE_MS 500 /* when time is short */

struct sink {
    const char *name; /* as messages call it */
    const char *path; /* of a regular file; NULL: it is something else */
    void *encoder;    /* a ZSTD_CStream; NULL: not compressed */
    void *buffer;     /* of the encoder */
    uint64_t written; /* bytes that have gone */
    int fd;
    int hurry;     /* a descriptor that becomes readable when time is short; -1: there is none */
    int error;     /* errno of the write that failed; nothing is written from then on */
    bool created;  /* the file was not there before */
    bool begun;    /* what was in the file is gone */
    bool hurries;  /* an output that takes nothing for SINK_PATIENCE_MS is given up */
    char proc[32]; /* the path of a file without a name */
};

/* `name`: a path, "-" or "tcp:HOST:PORT". A file that is there keeps its contents until something is
   written. False after a message; then there is nothing to close. */
bool sink_open(struct sink *sink, const char *name, bool compress);

/* A file without a name that is gone when it is closed, on the file system of `name`, by which
   messages call it. */
bool sink_open_unnamed(struct sink *sink, const char *name);

/* False when nothing more can be written; sink_report tells why. For one thread at a time; for struct
   fxt_out as well. */
bool sink_write(void *sink, const char *bytes, size_t size);

/* Writes what the encoder still has. */
bool sink_finish(struct sink *sink);

/* A message about what failed; none about a pipe that was closed. */
void sink_report(const struct sink *sink);

/* Cuts the file there, so that it ends with a whole record. */
void sink_cut(struct sink *sink, uint64_t size);

/* Errors that come as late as this set sink->error. The file keeps its name. */
void sink_close(struct sink *sink);

/* Closes; a file that was made for the trace goes away. */
void sink_discard(struct sink *sink);

#endif
