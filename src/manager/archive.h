/* An archive: a queue of blocks of records in front of an output. */
#ifndef FXT_MANAGER_ARCHIVE_H
#define FXT_MANAGER_ARCHIVE_H

#include <trace-controller/controller.h>

#include "src/manager/watch.h"

#define FXT_I_QUEUE_BYTES (UINT64_C(16) << 20) /* queued bytes before saves wait */
#define FXT_I_RATES 16
#define FXT_I_HURRY_MS 1000 /* how long an output may stall after a hurry */

struct fxt_i_block {
    struct fxt_i_block *next;
    uint64_t size;
    uint64_t written;
    uint64_t room;
    uint8_t bytes[];
};

struct fxt_i_archive {
    async_loop_t *loop;
    int output; /* -1: closed */
    bool is_socket;
    bool can_block; /* a socket or a pipe: writes may have to wait for its reader */
    bool writing;
    bool half_closed; /* the reader of the output sends nothing more */
    int error;        /* errno of the first failure: no more blocks are accepted */
    int deferred;     /* the file that collects the archive until the end, or -1 */
    uint64_t deferred_at;
    uint64_t deferred_size; /* whole blocks */
    struct fxt_i_watch *watch;
    struct fxt_i_timer *stall;
    struct fxt_i_block *first;
    struct fxt_i_block **last;
    struct fxt_i_block *spare;
    uint64_t queued;             /* bytes */
    uint64_t stall_ms;           /* how long the output may accept nothing */
    uint64_t bytes_written;      /* accepted bytes, including the magic number */
    uint64_t rates[FXT_I_RATES]; /* tick rates of its providers, the latest first; or 0 */
    void (*changed)(void *self); /* called when it has room, is empty or has failed */
    void *self;
};

/* TRACE_ERROR_NONE if an archive can be written to the descriptor: a socket, a pipe or a file.
   TRACE_ERROR_INVALID for any other descriptor that can be polled, such as a terminal, because a
   write might block the manager. TRACE_ERROR_NO_RESOURCES if the kernel does not say what it is. */
int fxt_i_archive_check_output(int output);
/* Takes ownership of the descriptor. NULL with errno if there is no memory or no file to defer the
   archive to; the descriptor is then closed. */
struct fxt_i_archive *fxt_i_archive_create(async_loop_t *loop, uint64_t stall_ms, int output,
                                           bool defer, void (*changed)(void *self), void *self);
void fxt_i_archive_free(struct fxt_i_archive *archive);
/* Marks the end of the archive. A deferred archive is then copied to the output. While `writing` is
   set, call this again after each `changed`: a file receives a few megabytes per call. */
void fxt_i_archive_finish(struct fxt_i_archive *archive);
bool fxt_i_archive_has_room(const struct fxt_i_archive *archive);
bool fxt_i_archive_is_empty(const struct fxt_i_archive *archive);
/* Allocates a block with that much room. NULL if there is no memory, which ends the archive. */
struct fxt_i_block *fxt_i_archive_block(struct fxt_i_archive *archive, uint64_t room);
/* Takes ownership of the block, which holds `size` bytes. */
void fxt_i_archive_put(struct fxt_i_archive *archive, struct fxt_i_block *block);
/* No client waits for the archive any more: its output may stall for FXT_I_HURRY_MS only. */
void fxt_i_archive_hurry(struct fxt_i_archive *archive);
/* Fails the archive: nothing more goes to the output. error: an errno value. */
void fxt_i_archive_fail(struct fxt_i_archive *archive, int error);

#endif
