/* The checker: every rule of the format over a whole trace, in bounded memory.

     uint64_t count_findings(struct fxt_checker *checker, const struct fxt_check_memory *memory,
                             const uint8_t *bytes, uint64_t size)
     {
         struct fxt_reader reader;
         struct fxt_record record;
         struct fxt_finding finding;
         struct fxt_error error;
         enum fxt_status status;
         uint64_t count = 0;

         fxt_check_init(checker, memory, FXT_EDITION_CURRENT);
         fxt_reader_init(&reader, bytes, size);
         do {
             status = fxt_reader_next(&reader, &record, &error);
             if (status == FXT_OK)
                 count += fxt_check_record(checker, &record);
             else if (status != FXT_END)
                 count += fxt_check_error(checker, &error);
         } while (status == FXT_OK || status == FXT_ZERO_WORD);
         while (fxt_check_end(checker, &finding))
             count++;
         return count;
     }

   After each call, the findings are in checker->findings, FXT_FINDINGS_MAX of them at most.

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
   EVT-11                  the flow id; one finding a thread, at the first such event
   EVT-12                  the end time; at the later of the two records
   EVT-13                  the flow id; at the later of the two records
   ARG-04                  the argument type
   ARG-06                  which argument of the record, from 0, had the name first
   ARG-07                  which argument of the record, from 0, it is
   BLB-02                  the blob type
   SCH-02, SCH-03          the scheduling type, the thread state
   SCH-06                  the timestamp
   SCH-07, SCH-08          the koid of the outgoing thread
   PRF-01, LRG-01, LRG-02  the profiler type, the large type, the blob format
   EDN-01                  the record type (10, 15), scheduling type, argument type or blob type
   all others              0 */
struct fxt_finding {
    uint64_t offset; /* of the word, in bytes from the start of the trace */
    uint64_t number;
    enum fxt_rule rule;
};

#define FXT_COMPLETES_MAX 4u /* duration completes that are kept of one thread */

/* A thread that has been seen, or a processor. */
struct fxt_check_thread {
    uint64_t generation;
    uint64_t process;
    uint64_t thread; /* the thread koid, or the number of the processor */
    uint64_t last_timestamp;
    uint64_t begin_offset; /* of the outermost duration begin that is open */
    uint32_t depth;        /* open durations */
    uint32_t provider;
    uint32_t previous;      /* number of the thread that was seen before it, from 1; 0: none */
    uint32_t processor;     /* 1: a processor */
    uint32_t running_known; /* processor: whether `running` says anything */
    uint32_t flow_outside;  /* 1: no duration around that flow event so far */
    uint32_t complete_count;
    uint64_t latest_end;                /* of its duration completes */
    uint64_t begins[FXT_COMPLETES_MAX]; /* of the last ones that lie in no later one */
    uint64_t ends[FXT_COMPLETES_MAX];
    uint64_t flow_offset;
    uint64_t flow_timestamp;
    uint64_t flow_id;
    uint64_t running; /* processor: the thread koid of its last incoming thread */
};

/* An async or a flow. Their events may come in any order in the trace (each provider's section is
   written by itself), so begins and ends are counted, their earliest and latest times in ns kept,
   and all is compared at the end. One that is matched gives its place to another when there is no
   other place. */
struct fxt_check_open {
    uint64_t generation;
    uint64_t id;
    uint64_t process;  /* async: the process koid, flow: 0 */
    uint64_t offset;   /* of its first event */
    uint64_t earliest; /* of all its events */
    uint64_t latest;
    uint64_t earliest_begin;
    uint64_t latest_end;
    uint64_t last_begin;   /* in the order of the trace */
    uint64_t twice_offset; /* of a begin that came while another was open */
    uint64_t twice_from;   /* the times of the two begins */
    uint64_t twice_to;
    uint32_t begins;
    uint32_t ends;
    uint32_t previous; /* as in struct fxt_check_thread */
    uint16_t flow;
    uint16_t twice; /* 1: no end between the two begins so far */
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
    uint64_t
        forgotten; /* the latest time, from 1, of asyncs and flows that gave their place away */
    uint32_t thread_max;
    uint32_t thread_count; /* seen, and not come to by fxt_check_end */
    uint32_t open_max;
    uint32_t open_count;
    uint32_t last_thread; /* number of the last one of them, or 0 */
    uint32_t last_open;
    uint32_t last_flow; /* number of the thread with a flow event to report, or 0 */
    uint32_t finding_count;
    enum fxt_edition edition;
    uint16_t started; /* a record has been seen */
    uint16_t full;    /* LIM-01 has been reported: references are no longer judged */
    uint16_t lost; /* there was no room for the provider of these records: nothing that depends on
                        what it registered, or on its threads, is judged or noted */
    struct fxt_finding findings[FXT_FINDINGS_MAX];
};

/* memory: as for fxt_tables_init; threads and opens, like its objects and providers, are zero bytes
   or what another checker has left there. The memory of a checker that is done with may be given to
   the next one as it is; nothing has to be cleared in between. Whatever is in there, the checker
   stays inside of it. */
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

/* After the last record: the next finding about what never ended, about flows outside of durations
   and about flows of one id, or false. */
FXT_API bool fxt_check_end(struct fxt_checker *checker, struct fxt_finding *finding);

/* [CAN-01] Whether the writer, given what the reader decodes, gives these very bytes. FXT_OK, or
   FXT_INVALID with the rule that says why not and the offset of the word. */
FXT_API enum fxt_status fxt_check_canonical(const struct fxt_record *record,
                                            struct fxt_error *error);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/check.h"
#endif

#endif
