/* The outputs that the clients of a script give to the manager, with the archives that arrive. */
#ifndef FXT_FUZZ_OUTLET_H
#define FXT_FUZZ_OUTLET_H

#include <stdbool.h>
#include <sys/types.h>

#include "fuzz/lib/oracle.h"

#define FUZZ_OUTLETS 7

enum fuzz_outlet_kind {
    FUZZ_OUTLET_FILE,
    FUZZ_OUTLET_SOCKET,
    FUZZ_OUTLET_PIPE,
    FUZZ_OUTLET_READ_ONLY, /* a file that nothing can be written to */
    FUZZ_OUTLET_FULL,      /* a file that cannot grow */
    FUZZ_OUTLET_EVENTS,    /* a descriptor that is none of these */
    FUZZ_OUTLET_KINDS,
};

struct fuzz_outlet {
    enum fuzz_outlet_kind kind;
    int reader;     /* -1: closed */
    dev_t device;   /* of the manager's end */
    ino_t inode;
    bool used;      /* as the output of a session, or of a flush that was done */
    bool harmed;    /* by the script: only what arrived counts */
    uint8_t *bytes; /* that arrived */
    size_t size, room;
};

/* Makes one. The other end is in *given, which the caller closes. */
void fuzz_outlet_open(struct fuzz_outlet *outlet, enum fuzz_outlet_kind kind, int *given);

/* Reads at most `most` bytes. */
void fuzz_outlet_read(struct fuzz_outlet *outlet, size_t most);

/* Closes the reading end: the manager cannot write any more. */
void fuzz_outlet_harm(struct fuzz_outlet *outlet);

/* Call this when the manager has closed its end. Reports each event with the number of its provider.
   Breaks a law unless the archive is well-formed, to its end if nobody harmed it. */
void fuzz_outlet_judge(struct fuzz_outlet *outlet,
                       void (*found)(void *self, unsigned provider, uint64_t event), void *self);

void fuzz_outlet_close(struct fuzz_outlet *outlet);

#endif
