/* A provider of a script. It keeps sections 1 and 6 of spec/system.md until the script makes it break
   a rule. It knows which events its buffer holds. */
#ifndef FXT_FUZZ_ACTOR_H
#define FXT_FUZZ_ACTOR_H

#include <fxt/buffer.h>
#include <fxt/read.h>

#include "src/protocol/packet.h"
#include "src/manager/state.h"

#define FUZZ_ACTORS 16   /* of one script */
#define FUZZ_EVENTS 8192 /* of one actor */

/* The events of a half, by their numbers: first to next - 1. */
struct fuzz_half {
    uint32_t first, next;
    uint64_t at; /* bytes that are used */
    bool saved;  /* the manager has them */
};

struct fuzz_actor {
    unsigned number;
    int socket, fifo; /* -1: there is none */
    uint8_t *buffer;  /* or NULL */
    uint64_t bytes;
    struct fxt_buffer_header header; /* with the data ends as they are */
    struct fuzz_half halves[2];
    uint16_t mode; /* of the session: enum fxt_buffering_mode */
    bool leases;   /* writes heads of leases, and keeps the data ends in the header */
    bool late;     /* says that it has started when it next listens; it may ask to save before */
    bool owes;     /* has not said it yet */
    bool registered;
    bool honest; /* has broken no rule */
    bool slow;   /* something was not answered in time: what is saved of it is not known */
    bool behind; /* time has passed over packets that it has not read */
    bool over;   /* the session of this buffer has ended */
    int outlet;  /* of that session */
    bool tracing;
    bool waits;                 /* for the half `asked` to be saved */
    bool to_switch;             /* when that half is saved */
    bool defined;               /* string 1 and thread 1 are registered */
    uint32_t asked;             /* a wrapped count */
    uint32_t unheard;           /* starts since it has last listened */
    uint32_t next;              /* number of the next event */
    uint8_t marks[FUZZ_EVENTS]; /* bit n: outlet n has to have this event */
    uint8_t seen[FUZZ_EVENTS];  /* while an outlet is judged */
};

void fuzz_actor_open(struct fuzz_actor *actor, unsigned number, bool leases, bool late);
void fuzz_actor_close(struct fuzz_actor *actor); /* its connection and its FIFO; it is remembered */
void fuzz_actor_forget(struct fuzz_actor *actor);

void fuzz_actor_register(struct fuzz_actor *actor, bool synchronously);

/* Time passes while a stopping session waits for an answer. */
void fuzz_actor_pass(struct fuzz_actor *actor);

/* Does what the packets that have arrived say. */
void fuzz_actor_listen(struct fuzz_actor *actor);

/* While it traces: events; a string and a thread; the other half, in streaming mode when it may. */
void fuzz_actor_write(struct fuzz_actor *actor, uint32_t count);
void fuzz_actor_define(struct fuzz_actor *actor);
void fuzz_actor_switch(struct fuzz_actor *actor);

/* Ends tracing by itself, as a program that exits does. */
void fuzz_actor_finish(struct fuzz_actor *actor);

void fuzz_actor_alert(struct fuzz_actor *actor, const uint8_t *name, uint16_t length);
void fuzz_actor_categories(struct fuzz_actor *actor, uint32_t transaction);

/* A bit of `marks` for each event that the buffer holds and no manager has saved; or none. */
void fuzz_actor_mark(struct fuzz_actor *actor, unsigned bit);
void fuzz_actor_unmark(struct fuzz_actor *actor, unsigned bits);

/* The number in the name of an actor; FUZZ_ACTORS for another name. */
unsigned fuzz_actor_number(struct fxt_bytes name);

/* Whether the record is an event of an actor, and its number. */
bool fuzz_actor_event(const struct fxt_record *record, uint64_t *event);

/* Called when a half is saved: its events have to be in the archive of the session. */
extern void (*fuzz_actor_saved)(struct fuzz_actor *actor, const struct fuzz_half *half);

/* The bits of the flushes that are not done. They go when the half is used again. */
extern unsigned fuzz_actor_flushes;

#endif
