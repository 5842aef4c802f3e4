/* A part of a trace that is a trace: what fxt cut and fxt filter share.

   Definitions stay: metadata, initialization, strings, threads and objects, all of them, because
   they are small and a reference may come from any record. Of the other records a selector decides.
   The bytes of what stays are copied; only times that are closed at an edge are written anew.

   Records that depend on each other stay or go together. They form operations (operations.h): the
   begin and the end of a duration, the events of an async operation, those of a flow. The input is
   read up to five times:

     survey   the selector looks at all records: the time span, koids of names
     look     each event adds bits to the note of its operation (notes.h)
     enclose  only if a flow may lack the durations that enclose its events, without which it means
              nothing (EVT-11), or if they are wanted of all events: an event that stays notes those
              durations. If they must not stay, the flow is refused instead.
     copy     the note of an operation decides for all of its events
     search   only if no record stayed: the selector finds out why

   Memory: the tables (memory.h), struct operations, and a byte for each operation in a temporary
   file. If threads, open durations or ids find no room, their events are judged one by one; a
   message says so. */
#ifndef FXT_TOOLS_FXT_EDIT_EDIT_H
#define FXT_TOOLS_FXT_EDIT_EDIT_H

#include "src/cli/message.h"
#include "src/tools/fxt/edit/item.h"
#include "src/tools/fxt/edit/operations.h"
#include "src/tools/fxt/edit/walk.h"

/* The bits of a note that are the selector's. */
#define NOTE_SELECTOR 0x1fu

struct selector {
    /* NULL, or sees every record of the survey. */
    void (*survey)(struct selector *selector, const struct walk *walk, const struct item *item);

    /* Called between survey and look. False after a message: a usage error. */
    bool (*ready)(struct selector *selector);

    /* NULL, or sees every record of the look. */
    void (*look)(struct selector *selector, const struct walk *walk, const struct item *item);

    /* The bits that a record adds to the note of its operation. `ends`: as many begins as ends. */
    uint8_t (*note)(struct selector *selector, const struct walk *walk, const struct item *item,
                    bool ends);

    /* Whether a record stays. note: that of its operation; without one its own. */
    bool (*keeps)(struct selector *selector, const struct item *item, uint8_t note, bool alone);

    /* NULL, or the words to change in a record that stays: at most 2. */
    unsigned (*patch)(struct selector *selector, const struct walk *walk, const struct item *item,
                      struct item_patch patches[2]);

    /* Whether a flow with this note, if it stays, may lack the durations that enclose its events. */
    bool (*lacks)(struct selector *selector, uint8_t note);

    /* NULL, or sees every record of the search. */
    void (*search)(struct selector *selector, const struct walk *walk, const struct item *item);

    /* Called at the end. False after a message: the part is empty, although the options ask for
       more. stayed: records that stayed, without those that stay in every part. */
    bool (*judge)(struct selector *selector, const char *file, uint64_t stayed);

    bool keeps_untimed;   /* records without a time stay in every part */
    bool always_encloses; /* every record that `keeps` selects keeps what encloses it */
    bool refuses;         /* durations that do not stay by themselves never stay */
};

/* What becomes of the records that stay. */
struct edit_sink {
    bool (*begin)(struct edit_sink *sink, struct fxt_out *out,
                  const char *file); /* false after a message */
    void (*take)(struct edit_sink *sink, const struct fxt_record *record);
    enum exit_code (*end)(struct edit_sink *sink);
};

/* The whole command: reads the one file of the operands, writes the part to the output. sink: NULL for
   a trace. */
enum exit_code edit_run(struct selector *selector, const struct options *options,
                        struct edit_sink *sink);

#endif
