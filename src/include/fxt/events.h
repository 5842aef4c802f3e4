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

   The functions are loops over those of <fxt/read.h> and <fxt/tables.h>. Any bytes are safe to
   read. The loops are tested, not proved. Only one thread at a time may use a struct fxt_events. */
#ifndef FXT_EVENTS_H
#define FXT_EVENTS_H

#include <fxt/tables.h>

struct fxt_events {
    struct fxt_reader reader;
    struct fxt_record record;  /* the record of the latest event */
    struct fxt_error error;    /* at the end: the reason; FXT_END if everything was read */
    struct fxt_tables *tables; /* the caller's, or NULL */
    uint64_t skipped;          /* undecodable events; with tables, also undecodable definitions */
    uint64_t unregistered;     /* records that found no room in the tables */
};

/* Begins with the first event. `tables` is NULL, or tables that the caller has initialized. Then
   each record is registered there, so that the tables resolve the references of the latest
   event. What finds no room there (FXT_FULL of fxt_tables_apply) is counted and not registered: its
   references are unresolved. */
FXT_API void fxt_events_init(struct fxt_events *events, const uint8_t *bytes, uint64_t size,
                             struct fxt_tables *tables);

/* Stores the next event and its arguments, args[0 … event->args.count - 1]. Also delivers events of
   unknown type. Returns false at the end; then the contents of *event and args are undefined. */
FXT_API bool fxt_events_next(struct fxt_events *events, struct fxt_event *event,
                             struct fxt_arg args[FXT_ARGS_MAX]);

#endif
