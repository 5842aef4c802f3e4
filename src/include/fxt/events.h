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

   With tables in the place of NULL, fxt_events_string, fxt_events_thread and fxt_events_ns say what an
   event refers to. They answer for the latest event only, because a reference means what was registered
   before its event, by the event's provider: for an event that was kept from an earlier step they
   return false. Resolve the names that you want to keep, and copy their text.

   The functions are loops over those of <fxt/read.h> and <fxt/tables.h>. Any bytes are safe to
   read. The loops are tested, not proved. Only one thread at a time may use a struct fxt_events. */
#ifndef FXT_EVENTS_H
#define FXT_EVENTS_H

#include <fxt/tables.h>

struct fxt_events {
    struct fxt_reader reader;
    struct fxt_record record;  /* the record of the latest event; zeros after the end */
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

/* Resolve what an event refers to: a string ref of the event or of its arguments, its thread, and its
   timestamp in nanoseconds. `event` is what the latest fxt_events_next stored, or a copy. Each
   returns false and stores nothing if `event` is an earlier one, if the loop has ended, if there are no
   tables, or if the ref is not registered. The text is valid until the next fxt_events_next; the text
   of an inline ref as long as the bytes of the trace. */
FXT_API bool fxt_events_string(const struct fxt_events *events, struct fxt_bytes *text,
                               const struct fxt_event *event, struct fxt_string_ref ref);
FXT_API bool fxt_events_thread(const struct fxt_events *events, struct fxt_thread_ref *koids,
                               const struct fxt_event *event);
FXT_API bool fxt_events_ns(const struct fxt_events *events, uint64_t *ns,
                           const struct fxt_event *event);

#endif
