/* FXT to the JSON trace format of Chrome and Catapult, which Perfetto reads too.

     static struct fxt_chrome_memory memory;           about 3 MB, no need to clear it
     fxt_chrome_init(&chrome, &out, &tables, &memory);
     for each record that fxt_reader_next gives:
         fxt_tables_apply(&tables, &record, &error);
         fxt_chrome_record(&chrome, &record);
     fxt_chrome_end(&chrome);
     fxt_out_flush(&out);

   The text is valid JSON and valid UTF-8 whatever the records hold, also when none was given, as
   long as fxt_chrome_end is called and out.failed is not set.

   {"displayTimeUnit":"ns","traceEvents":[ one event a line ],"otherData":{…}}

   ts, dur        microseconds with three decimals, exact to the nanosecond: ticks are converted as
                  fxt_ticks_to_ns does. Viewers read doubles: exact below 2^53 ns, 104 days. The dur
                  of a span that ends before it begins is 0.
   pid, tid       koids: a number below 2^32; from there on (the koids of virtual threads have bit
                  63 set) a string of decimal digits, because Perfetto keeps numbers in 32 bits and
                  takes all larger ones for 0. A thread ref that is not registered gives
                  "pid":0,"tid":0,"thread_ref":<index>.
   cat, name      "<unknown #12>" for string ref 12 when it is not registered; bytes that are not
                  UTF-8 become U+FFFD, one for each maximal ill-formed part.
   events         ph B E X i C b n e s t f. Ids are strings "0x1f": "id" of a flow, which belongs to
                  the whole trace, and of a counter, unless it is 0; "id2":{"local":"0x1f"} of an
                  async event, whose id belongs to its process.
   args           int32, uint32: numbers. int64, uint64, koid: numbers below 2^53 in size, from
                  there on strings of decimal digits, so that nothing is lost; but always numbers
                  in a counter, because a viewer plots only those (from 2^63 on as
                  1.8446744073709551615e+19: no int64). double: the shortest number that
                  reads back the same; "NaN", "Infinity", "-Infinity". pointer: "0x1f". blob:
                  base64. An argument of unknown type: "<unknown type 11>". A name that occurs
                  again in the same event is written as name#2, name#3 …
   kernel objects processes and threads give process_name and thread_name (ph M); with a ts after
                  all others when the pid or the tid is a string, else the viewer's own name wins.
   scheduling     the pseudo process FXT_CHROME_CPU_PID has a thread for each CPU, named "CPU 3",
                  with a complete event from switch to switch for the thread that ran (named by its
                  kernel object, else "thread 1234"); wakeups are instants there. Koid 0, and a
                  thread ref that is not registered, is no thread: the CPU is idle.
   log records    instants named "log" of global scope, the text in args.message.
   profiler       instants named "module", "mmap", "backtrace" in the category "profiler".
   large blobs    with metadata: an instant, the number of bytes in args.size.

   Left out, and counted in otherData: what has no time to show it at, that is blobs, large blobs
   without metadata, userspace objects, kernel objects that are neither process nor thread; records
   and events of unknown type; records that do not decode. Not thread-safe. */
#ifndef FXT_CONVERT_CHROME_H
#define FXT_CONVERT_CHROME_H

#include <fxt/tables.h>

#include "src/convert/out.h"

/* Above every Linux pid and below 2^32, where viewers keep ids. A process of this very koid would
   share the track. */
#define FXT_CHROME_CPU_PID 4000000000u

#define FXT_CHROME_STRINGS 32768u /* powers of two */
#define FXT_CHROME_THREADS 512u
#define FXT_CHROME_CPUS 65536u
#define FXT_CHROME_TEXT_BYTES (1u << 20)

/* A string of a provider, ready to be copied: quoted and escaped. */
struct fxt_chrome_string {
    uint32_t epoch; /* valid when equal to that of the converter */
    uint32_t provider;
    uint32_t offset; /* in text */
    uint16_t length; /* with its two quotes */
    uint16_t hash;   /* of the text between them */
};

/* ,"pid":…,"tid":… of a pair of koids, ready to be copied. */
struct fxt_chrome_thread {
    uint64_t process;
    uint64_t thread;
    uint32_t length; /* 0: none */
    char text[64];
};

/* What runs on a CPU. */
struct fxt_chrome_cpu {
    uint64_t thread; /* 0: nothing known */
    uint64_t since;  /* ns */
    uint8_t named;   /* its thread_name is written */
};

struct fxt_chrome_memory {
    struct fxt_chrome_string strings[FXT_CHROME_STRINGS];
    struct fxt_chrome_thread threads[FXT_CHROME_THREADS];
    struct fxt_chrome_cpu cpus[FXT_CHROME_CPUS];
    uint64_t busy[FXT_CHROME_CPUS / 64];         /* a bit for each CPU on which a thread runs */
    uint64_t busy_words[FXT_CHROME_CPUS / 4096]; /* a bit for each word of `busy` that is not 0 */
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
    uint64_t provider_events; /* a buffer of the provider was full: records are missing */
};

struct fxt_chrome {
    struct fxt_out *out;
    const struct fxt_tables *tables;
    struct fxt_chrome_memory *memory;
    struct fxt_chrome_time time;
    struct fxt_chrome_omitted omitted;
    uint64_t events;    /* written so far */
    uint64_t latest;    /* ns of the last scheduling record */
    uint32_t epoch;     /* of the string cache */
    uint32_t text_used;
    bool cpus_named;    /* the pseudo process has its name */
    bool text_full;     /* the cache starts again at the next record */
};

/* Writes the head of the document. `out`, `tables` and `memory` must live as long as `chrome`. */
void fxt_chrome_init(struct fxt_chrome *chrome, struct fxt_out *out,
                     const struct fxt_tables *tables, struct fxt_chrome_memory *memory);

/* Writes what the record becomes; all records are to be given, in order, after fxt_tables_apply.
   FXT_MALFORMED for a record that does not decode: it is counted and left out. */
enum fxt_status fxt_chrome_record(struct fxt_chrome *chrome, const struct fxt_record *record);

/* Ends what still runs at the time of the last scheduling record, then the document. Does not
   flush `out`. */
void fxt_chrome_end(struct fxt_chrome *chrome);

#endif
