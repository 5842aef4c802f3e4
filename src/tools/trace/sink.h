/* The destination of a trace: a file, stdout or a TCP connection; compressed or not. */
#ifndef FXT_TOOLS_TRACE_SINK_H
#define FXT_TOOLS_TRACE_SINK_H

#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "src/tools/trace/record_options.h"
#include "src/tools/trace/top.h"

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

/* A trace over TCP. */

/* Whether the name is of the form "tcp:HOST:PORT", with a port from 1 to 65535. */
bool tcp_is_place(const char *name);

/* Connects to such a place; an IPv6 address may be in []. False after a message. */
bool tcp_connect(int *out, const char *name);

/* To be asked until it is true, after shutdown: true if the receiver's system has everything, or
   after an error, an errno value. Reads what the receiver says: a connection that is closed with
   unread bytes is reset, and what is on its way is lost. */
bool tcp_is_delivered(int connection, int *error);

/* Checks whether an archive holds what was requested, while it is written: any records besides
   definitions, and events of each category. */

#define CONTENT_PATTERNS_MAX 128 /* further ones count as found */
#define CONTENT_RECORD_MAX 32760 /* the largest record; of a large record, the head is kept */

/* A category of the options. */
struct content_pattern {
    const char *text;       /* may end in '*' */
    const char *provider;   /* if not NULL: of this provider only */
    size_t provider_length; /* the name may be in front of a '/' */
    bool found;
};

struct content_strings;

struct content {
    struct content_pattern patterns[CONTENT_PATTERNS_MAX];
    size_t pattern_count;
    size_t left;                       /* patterns not found yet */
    bool has_records;                  /* records besides definitions */
    bool is_unknown;                   /* the archive could not be followed: report nothing */
    uint64_t skip;                     /* bytes of the current record to skip */
    size_t have;                       /* bytes of the current record, in `record` */
    struct content_strings *providers; /* the patterns that their strings match */
    struct content_strings *current;
    uint8_t record[CONTENT_RECORD_MAX];
};

/* options == NULL: no categories. A #group is not checked: only the manager knows its members. */
void content_begin(struct content *content, const struct trace_options *options);

/* The next bytes of the archive. */
void content_take(struct content *content, const char *bytes, size_t size);

/* Frees the memory. The results stay. */
void content_end(struct content *content);

/* A thread that copies an archive from the manager to a sink. */

struct drain {
    struct sink *sink;       /* owned by the thread until drain_join */
    struct content *content; /* follows the archive, or NULL; owned by the thread, too */
    struct top *top;         /* the same; has its own lock */
    pthread_t thread;
    pthread_mutex_t lock;
    uint64_t taken; /* bytes of the archive; protected by the lock */
    bool released;  /* protected by the lock */
    int error;      /* errno of a failed read; owned by the thread, too */
    int socket;     /* closed by drain_join */
    int ends[2]; /* a pair: the end of [0] wakes the thread, which closes its own end [1] at last */
};

/* *out is the manager's end; the caller closes it. Nothing is written before drain_release. False
   after a message. */
bool drain_begin(struct drain *drain, struct sink *sink, struct content *content, struct top *top,
                 int *out);

/* Begins to write to the sink. */
void drain_release(struct drain *drain);

/* A descriptor for poll: readable if the archive has ended or the sink has failed. */
int drain_ended(const struct drain *drain);

/* Stops reading the archive. */
void drain_stop(struct drain *drain);

/* The bytes of the archive so far. Any thread may call this. */
uint64_t drain_taken(struct drain *drain);

/* Waits until the archive has ended. Without drain_release, the sink stays untouched. False after a
   message if the archive could not be read to its end. */
bool drain_join(struct drain *drain);

#endif
