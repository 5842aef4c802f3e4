/* FXT to the JSON trace format of Chrome and Catapult, which Perfetto reads too.

     static struct fxt_chrome_memory memory;           about 8 MB, no need to clear it
     fxt_chrome_init(&chrome, &out, &tables, &memory);
     for each record that fxt_reader_next gives:
         fxt_chrome_before_record(&chrome, &record);
         fxt_tables_apply(&tables, &record, &error);
         fxt_chrome_record(&chrome, &record);
     fxt_chrome_end(&chrome);
     fxt_out_flush(&out);

   The text is valid JSON and valid UTF-8 whatever the records hold, also when none was given, as
   long as fxt_chrome_end is called and out.failed is not set.

   {"displayTimeUnit":"ns","traceEvents":[ one event a line ],"otherData":{…}}

   ts, dur        microseconds with three decimals, exact to the nanosecond: ticks are converted as
                  fxt_ticks_to_ns does. Viewers keep them in doubles, which give the nanoseconds
                  back below FXT_CHROME_EXACT_NS. So ts is the time less otherData.base_ns (a string
                  of digits): a whole number of days, at least one before the first time that is
                  written, and 0 if that is in the first two days. Perfetto drops negative times, and
                  records need not be in the order of time: the providers of an archive may follow
                  one another.
   pid, tid       koids: a number below 2^32; from there on (the koids of virtual threads have bit
                  63 set) a string of decimal digits, because Perfetto keeps numbers in 32 bits and
                  takes all larger ones for 0. A thread ref that is not registered has a track of its
                  own in the pseudo process FXT_CHROME_UNKNOWN_PID, and "thread_ref":<index>.
   cat, name      "<unknown #12>" for string ref 12 when it is not registered; bytes that are not
                  UTF-8 become U+FFFD, one for each maximal ill-formed part.
   events         ph B E X i C b n e s t f. E has no cat and no name, because it ends the latest B.
                  Ids are strings "0x1f": "id" of a flow, which belongs to the whole trace, and of a
                  counter, unless it is 0; "id2":{"local":"0x1f"} of an async event, whose id belongs
                  to its process. A flow event at a tick that has the same ns as the tick before is
                  written 1 ns later: viewers sort by time, and it has to come after the begin of the
                  duration that encloses it. So is an end after something else of its thread in that
                  ns, since Perfetto puts ends first, and a complete event after the begin of the
                  duration that encloses it, since Perfetto puts those before begins.
   args           int32, uint32: numbers. int64, uint64, koid: numbers below 2^53 in size, from
                  there on strings of decimal digits, so that nothing is lost; but always numbers
                  in a counter, because a viewer plots only those (from 2^63 on as
                  1.8446744073709551615e+19: no int64). bool: true, false; in a counter 1, 0. What
                  is no number in a counter is in "other_args" instead, because Perfetto plots text
                  that looks like a number. double: the shortest number that
                  reads back the same; "NaN", "Infinity", "-Infinity". pointer: "0x1f". blob:
                  base64. An argument of unknown type: "<unknown type 11>". A name that occurs
                  again in the same event is written as name#2, name#3 …
   kernel objects processes and threads give process_name and thread_name (ph M); with a ts after
                  all others when the pid or the tid is a string, else the viewer's own name wins.
   scheduling     the pseudo process FXT_CHROME_CPU_PID has a thread for each CPU, named "CPU 3"; each
                  provider has CPUs of its own, and those of a second one are named "CPU 3 of
                  provider 7", with tids from 65536 on. A complete event goes from switch to switch,
                  or to the last time of the trace, for the thread that ran (named by its kernel
                  object, else "thread 1234"); wakeups are instants there. No thread runs while the CPU
                  is idle (idle.h). args.incoming_priority is the thread's priority when it began to
                  run, args.outgoing_priority when it stopped; only legacy context switches have
                  them. Switches are sorted by time: each waits until FXT_CHROME_WINDOW others have
                  come, fewer when their arguments are long. One that is earlier than what its CPU's
                  track shows already is left out and counted. So is what belongs to a CPU that has
                  no place: there are FXT_CHROME_CPUS, of which a CPU takes those of its 64
                  neighbours, too.
   provider event an instant on the track of its provider in the pseudo process
                  FXT_CHROME_PROVIDER_PID, at the latest time of that provider so far (of any
                  provider when it has none): the record itself has no time.
   log records    instants named "log" of global scope, the text in args.message.
   profiler       instants named "module", "mmap", "backtrace" in the category "profiler".
   large blobs    with metadata: an instant, the number of bytes in args.size; of the category
                  "fidl:blob" also the payload as base64 in args.blob.

   Left out, and counted in otherData: what has no time to show it at, that is blobs, large blobs
   without metadata, userspace objects, kernel objects that are neither process nor thread, provider
   events before the first time; complete durations that end before they begin; records and events of
   unknown type; records that do not decode;
   context switches that come too late; what belongs to too many CPUs. Not thread-safe. */
#ifndef FXT_CONVERT_CHROME_H
#define FXT_CONVERT_CHROME_H

#include <fxt/tables.h>

#include "src/convert/out.h"

/* Above every Linux pid and below 2^32, where viewers keep ids. A process of such a koid would share
   the track. */
#define FXT_CHROME_CPU_PID 4000000000u
#define FXT_CHROME_PROVIDER_PID 4000000001u
#define FXT_CHROME_UNKNOWN_PID 4000000002u

/* 2^42 us. Below, a double times 1000, rounded, is the nanoseconds again; above, not always. */
#define FXT_CHROME_EXACT_NS ((UINT64_C(1) << 42) * 1000)

#define FXT_CHROME_STRINGS 32768u /* powers of two */
#define FXT_CHROME_THREADS 512u
#define FXT_CHROME_MOVED 4096u
#define FXT_CHROME_CPUS 65536u /* of all providers */
#define FXT_CHROME_CPU_BLOCK 64u
#define FXT_CHROME_CPU_BLOCKS (FXT_CHROME_CPUS / FXT_CHROME_CPU_BLOCK)
#define FXT_CHROME_TEXT_BYTES (1u << 20)
#define FXT_CHROME_WINDOW 16384u /* context switches that wait for earlier ones */
#define FXT_CHROME_WINDOW_BLOCKS 32768u
#define FXT_CHROME_PROVIDERS 256u /* of more, some share a track */

/* A string of a provider, ready to be copied: quoted and escaped. */
struct fxt_chrome_string {
    uint32_t epoch; /* valid when equal to that of the converter */
    uint32_t provider;
    uint32_t offset; /* in text */
    uint16_t length; /* with its two quotes */
    uint16_t hash;   /* of the text between them */
};

#define FXT_CHROME_DEPTH 8u

/* ,"pid":…,"tid":… of a pair of koids, ready to be copied; and what the order of its events depends on:
   see chrome_order.c. Times are in ns; what is shown is what is written for them. */
struct fxt_chrome_thread {
    uint64_t process;
    uint64_t thread;
    uint32_t length; /* 0: none */
    uint32_t trace;  /* what follows, but for the text, is of this trace: see struct fxt_chrome */
    uint64_t latest; /* of the latest event, or end of a complete duration */
    uint64_t shown;
    uint32_t has_inner;      /* something stands at `shown` that is no end */
    uint32_t depth;          /* durations that are open */
    uint64_t complete_begin; /* of the latest complete duration, as shown */
    uint64_t complete_end;
    char text[64];
    uint64_t begins[FXT_CHROME_DEPTH]; /* of the innermost durations, by depth */
    uint64_t begins_shown[FXT_CHROME_DEPTH];
};

/* When durations of a thread ended, all in one, and what was written. */
struct fxt_chrome_moved {
    uint64_t key;
    uint64_t shown;
};

/* What runs on a CPU. */
struct fxt_chrome_cpu {
    uint64_t thread;   /* koid; 0: none, or not registered */
    uint64_t since;    /* ns */
    uint32_t trace;    /* `since` is of this trace: see struct fxt_chrome */
    uint32_t named;    /* in this trace its thread_name was written */
    uint32_t tid;      /* of its track */
    uint16_t ref;      /* of a thread that is not registered, else 0 */
    uint16_t priority; /* when it began to run */
    uint8_t has_priority;
};

/* A context switch of either kind. */
struct fxt_chrome_switch {
    uint64_t ns;
    uint64_t offset;   /* in the trace */
    uint64_t outgoing; /* koids; 0: none, or not registered */
    uint64_t incoming;
    uint32_t text;         /* first block of what the outgoing thread's "args" hold; 0: not kept */
    uint16_t outgoing_ref; /* of threads that are not registered, else 0 */
    uint16_t incoming_ref;
    uint16_t outgoing_priority;
    uint16_t incoming_priority;
    uint16_t cpu; /* place in cpus */
    uint16_t state;
    uint8_t has_priorities;
};

struct fxt_chrome_waiting {
    uint64_t ns;
    uint64_t offset;
    uint32_t slot;
};

struct fxt_chrome_block {
    uint32_t next; /* 0: none */
    uint8_t size;
    char text[59];
};

/* Switches that wait for earlier ones; see chrome_window.c. */
struct fxt_chrome_window {
    uint32_t count;
    uint32_t fresh; /* slots that have been used */
    uint32_t free_block;
    uint32_t fresh_blocks;
    uint32_t blocks_free;
    struct fxt_chrome_waiting heap[FXT_CHROME_WINDOW];
    struct fxt_chrome_switch switches[FXT_CHROME_WINDOW];
    struct fxt_chrome_block blocks[FXT_CHROME_WINDOW_BLOCKS];
    char scratch[FXT_OUT_CAPACITY_MIN];
};

/* Of the current trace. */
struct fxt_chrome_tracks {
    uint64_t providers[FXT_CHROME_PROVIDERS / 64 + 1]; /* a bit for each that has a name */
    uint64_t unknown[FXT_CHROME_PROVIDERS * 256 / 64];
    uint64_t latest[FXT_CHROME_PROVIDERS];    /* ns, by provider */
    uint16_t schedulers;                      /* providers that have CPUs */
    uint16_t scheduler[FXT_CHROME_PROVIDERS]; /* by provider: which one it is, from 1 */
};

struct fxt_chrome_memory {
    struct fxt_chrome_string strings[FXT_CHROME_STRINGS];
    struct fxt_chrome_thread threads[FXT_CHROME_THREADS];
    struct fxt_chrome_moved moved[FXT_CHROME_MOVED];
    struct fxt_chrome_cpu cpus[FXT_CHROME_CPUS];
    uint16_t cpu_blocks_used;
    uint16_t cpu_blocks[FXT_CHROME_PROVIDERS][FXT_CHROME_CPU_BLOCKS]; /* by scheduler; from 1 */
    uint64_t busy[FXT_CHROME_CPUS / 64];         /* a bit for each CPU on which a thread runs */
    uint64_t busy_words[FXT_CHROME_CPUS / 4096]; /* a bit for each word of `busy` that is not 0 */
    struct fxt_chrome_tracks tracks;
    struct fxt_chrome_window window;
    char text[FXT_CHROME_TEXT_BYTES];
};

/* Ticks to text; see chrome_time.h. */
struct fxt_chrome_time {
    uint64_t ticks_per_second; /* what the fields below are for; 0: none yet */
    uint64_t reciprocal;       /* floor((2^64 - 1) / ticks_per_second); 0: use fxt_ticks_to_ns */
    uint64_t last;             /* largest timestamp that fits */
    uint64_t high;             /* ns / 10^8 of the text below */
    uint32_t high_length;
    char high_text[16];
};

/* What was left out, in records. */
struct fxt_chrome_omitted {
    uint64_t malformed;
    uint64_t unknown; /* record types, event types */
    uint64_t blobs;
    uint64_t large_blobs;
    uint64_t userspace_objects;
    uint64_t kernel_objects;
    uint64_t provider_events; /* there is no time at which to show them */
    uint64_t late_switches;
    uint64_t ends_before_begin; /* complete durations */
    uint64_t counters;          /* counter events without a value; those are written all the same */
    uint64_t cpus;              /* scheduling records of a CPU without a place */
};

struct fxt_chrome {
    struct fxt_out *out;
    const struct fxt_tables *tables;
    struct fxt_chrome_memory *memory;
    struct fxt_chrome_time time;
    struct fxt_chrome_omitted omitted;
    uint64_t events;             /* written so far */
    uint64_t base;               /* ns that every ts is less */
    uint64_t far;                /* FXT_CHROME_EXACT_NS; 0: there is no base yet */
    uint64_t negative;           /* times before the base */
    uint64_t inexact;            /* other times and durations that a double does not hold */
    uint64_t late_times;         /* written as 2^63 - 1 ns: rule ORD-01 of spec/meaning.md */
    uint64_t first_late;         /* offset of the first of the late switches */
    uint64_t first_counter;      /* the same of the counter events without a value */
    char first_counter_name[64]; /* or its beginning, as a string */
    uint32_t trace;              /* counts the traces in one file (MET-10), from 1 */
    uint64_t generation;         /* of the tables, when the string cache began */
    uint32_t epoch;              /* of the string cache */
    uint32_t text_used;
    uint32_t unknown_thread; /* tid of one that the record named and that is not registered, or 0 */
    uint32_t groups_named;   /* a bit for each pseudo process that has its name */
    bool has_moved;          /* something is in memory->moved */
    bool text_full;          /* the cache starts again at the next record */
};

/* Writes the head of the document. `out`, `tables` and `memory` must live as long as `chrome`. */
void fxt_chrome_init(struct fxt_chrome *chrome, struct fxt_out *out,
                     const struct fxt_tables *tables, struct fxt_chrome_memory *memory);

/* The base is 0. To be called before the first record. */
void fxt_chrome_absolute(struct fxt_chrome *chrome);

/* To be called before fxt_tables_apply: a magic number that begins a new trace (MET-10) makes the
   tables forget the names of threads that the context switches of the old one still need. */
void fxt_chrome_before_record(struct fxt_chrome *chrome, const struct fxt_record *record);

/* Writes what the record becomes; all records are to be given, in order, after fxt_tables_apply.
   FXT_MALFORMED for a record that does not decode: it is counted and left out. */
enum fxt_status fxt_chrome_record(struct fxt_chrome *chrome, const struct fxt_record *record);

/* Ends what still runs at the time of the last scheduling record, then the document. Does not
   flush `out`. */
void fxt_chrome_end(struct fxt_chrome *chrome);

#endif
