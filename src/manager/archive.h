/* An archive: blocks of records in front of an output. */
#ifndef FXT_MANAGER_ARCHIVE_H
#define FXT_MANAGER_ARCHIVE_H

#include "src/manager/watch.h"

#define FXT_I_QUEUE_BYTES (UINT64_C(16) << 20) /* in front of an output before saves wait */
#define FXT_I_RATES 16
#define FXT_I_HURRY_MS 1000 /* that an output may take nothing, when nobody waits for it any more */

struct fxt_i_block {
    struct fxt_i_block *next;
    uint64_t size;
    uint64_t written;
    uint64_t room;
    uint8_t bytes[];
};

struct fxt_i_archive {
    uv_loop_t *loop;
    int output; /* -1: closed */
    bool is_socket;
    bool waits; /* for the output: it is no file */
    bool writing;
    bool half_closed; /* the output: its reader sends nothing more */
    int error;        /* errno of the first failure: nothing is taken in any more */
    int deferred;     /* a file that takes all until the end, or -1 */
    uint64_t deferred_at;
    uint64_t deferred_size; /* whole blocks */
    struct fxt_i_watch *watch;
    struct fxt_i_timer *stall;
    struct fxt_i_block *first;
    struct fxt_i_block **last;
    struct fxt_i_block *spare;
    uint64_t queued;             /* bytes */
    uint64_t stall_ms;           /* that the output may take nothing */
    uint64_t bytes_written;      /* taken in, archive's head included */
    uint64_t rates[FXT_I_RATES]; /* ticks per second of its providers, the last one first; or 0 */
    void (*changed)(void *self); /* has room, is empty, or has failed */
    void *self;
};
/* Whether an archive may be written to it: a socket, a pipe or a file. Other things that can be waited
   for, such as terminals, might take nothing for ever, and the manager with them. */
bool fxt_i_archive_takes(int output);
/* Takes the descriptor. NULL without memory: then it is closed. */
struct fxt_i_archive *fxt_i_archive_create(uv_loop_t *loop, uint64_t stall_ms, int output,
                                           bool defer, void (*changed)(void *self), void *self);
void fxt_i_archive_free(struct fxt_i_archive *archive);
/* Nothing follows: a deferred archive begins to go to the output. */
void fxt_i_archive_finish(struct fxt_i_archive *archive);
bool fxt_i_archive_has_room(const struct fxt_i_archive *archive);
bool fxt_i_archive_is_empty(const struct fxt_i_archive *archive);
/* A block with room for as many bytes; NULL without memory, which ends the archive. */
struct fxt_i_block *fxt_i_archive_block(struct fxt_i_archive *archive, uint64_t room);
/* Takes the block, with size bytes in it. */
void fxt_i_archive_put(struct fxt_i_archive *archive, struct fxt_i_block *block);
/* Nobody waits for it any more: an output that takes nothing is given up soon. */
void fxt_i_archive_hurry(struct fxt_i_archive *archive);
/* Nothing more goes to the output. error: an errno value. */
void fxt_i_archive_fail(struct fxt_i_archive *archive, int error);

#endif
