/* The events of a trace in one loop. Events that cannot be decoded are skipped and counted.

     bool each_event(const uint8_t *bytes, uint64_t size)
     {
         struct fxt_events events;
         struct fxt_event event;
         struct fxt_arg args[FXT_ARGS_MAX];

         fxt_events_init(&events, bytes, size, NULL);
         while (fxt_events_next(&events, &event, args))
             use(&event, args, event.args.count);
         return events.skipped == 0 && events.error.status == FXT_END;
     }

   The functions are loops over those of <fxt/read.h> and <fxt/tables.h>, and as safe: any bytes may be
   read. They are tested, not proved. One struct fxt_events belongs to one thread at a time. */
#ifndef FXT_EVENTS_H
#define FXT_EVENTS_H

#include <fxt/tables.h>

struct fxt_events {
    struct fxt_reader reader;
    struct fxt_record record;  /* of the event that came last */
    struct fxt_error error;    /* at the end: why it is the end, FXT_END if all was read */
    struct fxt_tables *tables; /* of the caller; or NULL */
    uint64_t skipped;          /* events, and with tables definitions, that could not be decoded */
};

/* `tables`, if it is not NULL, takes each record that is passed, so that it resolves the references of
   the event that came last. The caller has initialized it. */
FXT_API void fxt_events_init(struct fxt_events *events, const uint8_t *bytes, uint64_t size,
                             struct fxt_tables *tables);

/* The next event and its arguments, args[0 … event->args.count - 1]; also one of unknown type. False
   at the end; *event and args then hold nothing of use. */
FXT_API bool fxt_events_next(struct fxt_events *events, struct fxt_event *event,
                             struct fxt_arg args[FXT_ARGS_MAX]);

#endif
