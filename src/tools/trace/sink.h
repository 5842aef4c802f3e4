/* The destination of a trace: a file, stdout or a TCP connection; compressed or not. */
#ifndef FXT_TOOLS_TRACE_SINK_H
#define FXT_TOOLS_TRACE_SINK_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define SINK_PATIENCE_MS 500 /* if time is short */

struct sink {
    const char *name; /* the name in messages */
    const char
        *path;     /* path of the regular file that is written; NULL: something else, or removed */
    void *encoder; /* a ZSTD_CStream; NULL: not compressed */
    void *buffer;  /* buffer of the encoder */
    uint64_t written; /* bytes written */
    int fd;
    int hurry;  /* a descriptor that is readable if time is short; -1: none */
    int others; /* inotify: whether others close the file after writing; -1: unknown */
    int old;    /* the file with contents that the written one is to replace, locked; -1: none */
    struct timespec modified; /* time of the file `name` after the last write of the sink */
    int error;                /* errno of the failed write; nothing is written afterwards */
    bool created;             /* the written file did not exist before */
    bool unplaced;            /* the written file cannot be renamed to `name` */
    bool foreign;             /* the time of the file `name` changed between two writes */
    bool hurries;             /* an output that accepts nothing for SINK_PATIENCE_MS is given up */
    char target[PATH_MAX];    /* what is replaced: `name` without symbolic links */
    char own[PATH_MAX];       /* the path of a file without a name, or of one that replaces `old` */
};

/* `name`: a path, "-" or "tcp:HOST:PORT". A file with contents stays until sink_close: the sink writes
   NAME.partial beside it. False after a message; then there is nothing to close. */
bool sink_open(struct sink *sink, const char *name, bool compress);

/* Opens an unnamed file on the file system of `name`, which messages use. The file disappears
   when it is closed. */
bool sink_open_unnamed(struct sink *sink, const char *name);

/* Whether a file with contents was there before, and still is. */
bool sink_has_contents(const struct sink *sink);

/* The name of what is written, for messages. */
const char *sink_shown(const struct sink *sink);

/* False if nothing more can be written; sink_report tells why. One thread at a time. Also serves
   as the flush function of a struct fxt_out. */
bool sink_write(void *sink, const char *bytes, size_t size);

/* Flushes the encoder. */
bool sink_finish(struct sink *sink);

/* Reports what failed. */
void sink_report(const struct sink *sink);

/* Whether another program has written the same file since it was opened. One that has not closed it
   yet is not seen. */
bool sink_is_shared(struct sink *sink);

/* Whether the file has no name any more: it was removed or replaced since it was opened. */
bool sink_is_gone(const struct sink *sink);

/* Truncates the file to that size, so that it ends with a whole record. */
void sink_cut(struct sink *sink, uint64_t size);

/* Gives an unnamed file a name that no file has yet; on another file system, a copy of it. An errno
   value: EEXIST if a file has the name. */
int sink_name(const struct sink *sink, const char *path);

/* Closes the sink and keeps the file, unless it was created and nothing could be written. If the
   file is whole, it replaces the old one. Late errors set sink->error. */
void sink_close(struct sink *sink, bool is_whole);

/* Closes the sink and removes a file that was created for the trace. */
void sink_discard(struct sink *sink);

#endif
