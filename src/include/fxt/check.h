/* The checker: every rule of the format over a whole trace, in bounded memory.

     fxt_check_init(&checker, &memory, FXT_EDITION_CURRENT);
     for each result of fxt_reader_next:
         FXT_OK:  n = fxt_check_record(&checker, &record)
         an error: n = fxt_check_error(&checker, &error)
         then look at checker.findings[0 … n - 1]
     while (fxt_check_end(&checker, &finding)) …      what never ended

   Not thread-safe. */
#ifndef FXT_CHECK_H
#define FXT_CHECK_H

#include <fxt/tables.h>

#define FXT_FINDINGS_MAX 64u /* kept of one record; further ones are only counted */

/* What `number` is:

   REC-04                  the reserved bits that are set, where they are in the word
   REC-06                  the record type
   REC-08                  the words of the tail
   STR-02, STR-06          the string ref
   STR-04, STR-05          the bytes of the string
   THR-02                  the thread ref
   MET-01, MET-05          the metadata type, the trace info type
   MET-03                  the id of the provider
   MET-04                  the event id
   MET-06                  the whole word
   INI-03                  the new ticks per second
   STT-04                  the index
   EVT-02                  the event type
   EVT-04                  of an end without a begin 0; of begins without an end how many of the thread
                           are open: they give one finding, at the outermost of them
   EVT-05                  the end time
   EVT-06, EVT-07          the async id, the flow id; the offset is that of its first event
   EVT-08                  the timestamp
   EVT-09                  the type of the argument that is not numeric, at the argument; without
                           arguments 0, at the event
   EVT-10                  the word
   ARG-04                  the argument type
   ARG-06                  which argument of the record, from 0, had the name first
   ARG-07                  which argument of the record, from 0, it is
   BLB-02                  the blob type
   SCH-02, SCH-03          the scheduling type, the thread state
   PRF-01, LRG-01, LRG-02  the profiler type, the large type, the blob format
   EDN-01                  the record type (10, 15), scheduling type, argument type or blob type
   all others              0 */
struct fxt_finding {
    uint64_t offset; /* of the word, in bytes from the start of the trace */
    uint64_t number;
    enum fxt_rule rule;
};

/* A thread that has been seen. */
struct fxt_check_thread {
    uint64_t generation;
    uint64_t process;
    uint64_t thread;
    uint64_t last_timestamp;
    uint64_t begin_offset; /* of the outermost duration begin that is open */
    uint32_t depth;        /* open durations */
    uint32_t provider;
    uint32_t previous; /* number of the thread that was seen before it, from 1; 0: none */
};

/* An async or a flow. Their events may come in any order in the trace (each provider's section is
   written by itself), so begins and ends are counted, their earliest and latest times in ns kept,
   and all is compared at the end. */
struct fxt_check_open {
    uint64_t generation;
    uint64_t id;
    uint64_t process;  /* async: the process koid, flow: 0 */
    uint64_t offset;   /* of its first event */
    uint64_t earliest; /* of all its events */
    uint64_t latest;
    uint64_t earliest_begin;
    uint64_t latest_end;
    uint32_t begins;
    uint32_t ends;
    uint32_t previous; /* as in struct fxt_check_thread */
    uint8_t flow;
};

struct fxt_check_memory {
    struct fxt_tables_memory tables;
    struct fxt_check_thread *threads; /* thread_max, a power of two */
    struct fxt_check_open *opens;     /* open_max, a power of two */
    uint32_t thread_max;
    uint32_t open_max;
};

struct fxt_checker {
    struct fxt_tables tables;
    struct fxt_check_thread *threads;
    struct fxt_check_open *opens;
    uint64_t generation;
    uint64_t zero_end;    /* offset after the last all-zero word */
    uint64_t may_compare; /* bytes of registered names, for ARG-06 */
    uint32_t thread_max;
    uint32_t thread_count;
    uint32_t open_max;
    uint32_t open_count;
    uint32_t last_thread; /* number of the last one seen that fxt_check_end has not come to */
    uint32_t last_open;
    uint32_t finding_count;
    enum fxt_edition edition;
    uint8_t started; /* a record has been seen */
    uint8_t full;    /* LIM-01 has been reported: references are no longer judged */
    uint8_t lost;    /* there was no room for the provider of these records: nothing that depends on
                        what it registered, or on its threads, is judged or noted */
    struct fxt_finding findings[FXT_FINDINGS_MAX];
};

/* memory: as for fxt_tables_init; threads and opens, like its objects and providers, are zero bytes
   or what another checker has left there. The memory of a checker that is done with may be given to
   the next one as it is; nothing has to be cleared in between. */
FXT_API void fxt_check_init(struct fxt_checker *checker, const struct fxt_check_memory *memory,
                            enum fxt_edition edition);

/* Checks one record and takes what it registers. Returns how many findings it gave; the first
   FXT_FINDINGS_MAX of them are in checker->findings, in the order of their offsets.

   The time is bounded by the size of the record, but for what a magic number record ends. To that
   end names of arguments under different indices, whose digests are the same, are compared only
   while no more than 256 bytes of them have been compared for each byte of the trace; from there
   on they count as different (ARG-06). Only a trace that was made for it comes there. */
FXT_API uint32_t fxt_check_record(struct fxt_checker *checker, const struct fxt_record *record);

/* The same for an error (or a zero word) of fxt_reader_next. A run of zero words gives one finding,
   at its first word. */
FXT_API uint32_t fxt_check_error(struct fxt_checker *checker, const struct fxt_error *error);

/* After the last record: the next finding about what never ended, or false. */
FXT_API bool fxt_check_end(struct fxt_checker *checker, struct fxt_finding *finding);

/* [CAN-01] Whether the writer, given what the reader decodes, gives these very bytes. FXT_OK, or
   FXT_INVALID with the rule that says why not and the offset of the word. */
FXT_API enum fxt_status fxt_check_canonical(const struct fxt_record *record,
                                            struct fxt_error *error);

/* Strict UTF-8 (STR-05). */
/*@ requires size > 0 ==> \valid_read(bytes + (0 .. size - 1));
  @ terminates \true;
  @ assigns \nothing;
  @*/
FXT_API bool fxt_utf8_valid(const uint8_t *bytes, uint64_t size);

#endif
