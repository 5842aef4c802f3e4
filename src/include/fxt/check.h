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

   After each call, checker->findings has its findings, at most FXT_FINDINGS_MAX. The comment at
   struct fxt_check_memory says how large its parts should be.

   A trace can be read in chunks, as <fxt/read.h> describes. Do not give FXT_MORE to
   fxt_check_error. If a record is larger than the buffer, report it as LIM-02 and skip it:

     uint32_t pass_over(struct fxt_checker *checker, struct fxt_reader *reader,
                        const struct fxt_record *record)
     {
         struct fxt_error error = {record->offset, FXT_FULL, FXT_RULE_LIM_02};

         fxt_reader_pass(reader, record);
         return fxt_check_error(checker, &error);
     }

   The caller guarantees what <fxt/read.h> requires: a record comes from fxt_reader_next, and its
   bytes still exist. The trace and the record do not overlap the checker and its memory.

   Only one thread at a time may use a checker. */
#ifndef FXT_CHECK_H
#define FXT_CHECK_H

#include <fxt/tables.h>

#define FXT_FINDINGS_MAX 64u /* kept of one record; the checker only counts the others */

/* The meaning of `number` in a finding of each rule:

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
   EVT-04                  0 for an end without a begin; else the number of begins that are open on
                           the thread, in one finding at the outermost begin
   EVT-05                  the end time
   EVT-06, EVT-07          the async id, the flow id; at its first event
   EVT-08                  the timestamp
   EVT-09                  the type of the argument that is not numeric, at the argument; without
                           arguments 0, at the event
   EVT-10                  the word
   EVT-11                  the flow id; at the first such event of each thread
   EVT-12                  the end time; at the later of the two records
   EVT-13                  the flow id; at the later of the two records
   ARG-04                  the argument type
   ARG-06                  the position of the first argument with that name, from 0
   ARG-07                  the position of the argument, from 0
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

#define FXT_COMPLETES_MAX 4u /* complete durations that the checker keeps for each thread */

/* The checker's own record of a thread or a processor. */
struct fxt_check_thread {
    uint64_t generation;
    uint64_t process;
    uint64_t thread; /* the thread koid, or the number of the processor */
    uint64_t last_timestamp;
    uint64_t begin_offset; /* of the outermost open duration begin */
    uint32_t depth;        /* open durations */
    uint32_t provider;
    uint32_t previous;      /* place of the entry that was taken before it, from 1; 0: none */
    uint32_t processor;     /* 1: a processor */
    uint32_t running_known; /* processor: 1 if `running` is known */
    uint32_t flow_outside;  /* 1: no duration encloses the flow event below so far */
    uint32_t complete_count;
    uint64_t latest_end;                /* of all its complete durations */
    uint64_t begins[FXT_COMPLETES_MAX]; /* of the last ones that no later one encloses */
    uint64_t ends[FXT_COMPLETES_MAX];
    uint64_t flow_offset;
    uint64_t flow_timestamp;
    uint64_t flow_id;
    uint64_t running; /* processor: the thread koid of its last incoming thread */
};

/* The checker's own record of an async or a flow. Its events may be in any order in the trace,
   because each provider writes its section by itself. So the checker counts begins and ends, keeps
   their earliest and latest times in ns, and compares all of them at the end. If the memory is
   full, a matched async or flow gives way to a new one. */
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
    uint64_t twice_offset; /* of a begin that followed another begin */
    uint64_t twice_from;   /* the times of these two begins */
    uint64_t twice_to;
    uint32_t begins;
    uint32_t ends;
    uint32_t previous; /* as in struct fxt_check_thread */
    uint16_t flow;
    uint16_t twice; /* 1: no end lies between these two begins so far */
};

/* The memory of a checker, which the caller owns. Its parts do not overlap. If tables.zeroed is 1,
   threads and opens hold zeros, like providers and objects. If a part is too small for a trace,
   the checker reports LIM-01 once and goes on, but may miss findings. A trace needs:

   tables.provider_max  the number of its providers, and 1 for records before the first provider.
                        A struct fxt_provider has about 533 kB, and provider_ids 4 bytes for each.
   tables.arena_size    for each registered string its size, rounded up to 8 bytes, and 16 bytes;
                        if strings replace others, the longest one once more, and a seventh of all
   tables.object_max    0: the checker does not look objects up
   thread_max           twice the number of its threads and processors, counted for each provider
                        that names them, rounded up to a power of 2; 176 bytes each
   open_max             twice the number of asyncs and flows that are open at the same time, rounded
                        up to a power of 2; 112 bytes each

   The memory below is enough for a program of a few hundred threads. Memory of static storage and
   of calloc takes no pages until the checker uses them.

     static struct fxt_provider providers[16];
     static uint32_t provider_ids[16];
     static struct fxt_check_thread threads[1024];
     static struct fxt_check_open opens[4096];
     static uint8_t arena[1048576];

     struct fxt_check_memory check_memory(void)
     {
         static struct fxt_check_memory memory;

         memory.tables.providers = providers;
         memory.tables.provider_ids = provider_ids;
         memory.tables.provider_max = 16;
         memory.tables.arena = arena;
         memory.tables.arena_size = sizeof arena;
         memory.tables.zeroed = 1;
         memory.threads = threads;
         memory.thread_max = 1024;
         memory.opens = opens;
         memory.open_max = 4096;
         return memory;
     }

   For the next trace, set tables.zeroed to 0. */
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
    uint64_t forgotten; /* the latest time of asyncs and flows that gave way, at least 1; 0: none */
    uint32_t thread_max;
    uint32_t thread_count; /* less those that fxt_check_end has passed */
    uint32_t open_max;
    uint32_t open_count;
    uint32_t last_thread; /* place of the latest entry, from 1; 0: none */
    uint32_t last_open;
    uint32_t last_flow; /* place of the thread whose flow event is reported next; 0: none */
    uint32_t finding_count;
    enum fxt_edition edition;
    uint16_t started; /* 1 after the first record */
    uint16_t full;    /* 1 after LIM-01: references are no longer checked */
    uint16_t shared;  /* 1 after a provider found no place: the last place has had several */
    uint16_t lost;    /* 1: the current provider has a shared place. Its references and threads are
                         not checked */
    struct fxt_finding findings[FXT_FINDINGS_MAX];
};

/* Begins a trace. The memory belongs to the caller and must outlive the checker. It holds zeros, or
   what another checker has left there, so it need not be cleared between two traces. Whatever it
   holds, the checker accesses no other memory. */
FXT_API void fxt_check_init(struct fxt_checker *checker, const struct fxt_check_memory *memory,
                            enum fxt_edition edition);

/* Checks one record and registers what it defines. Returns the number of findings. The first
   FXT_FINDINGS_MAX of them are in checker->findings, ordered by offset.

   The time is linear in the size of the record, except for a magic number record, which ends the
   trace before it. ARG-06 compares two names only if their digests are equal, and altogether at
   most 256 bytes for each byte of the trace. Beyond this limit, which only a hostile trace reaches,
   names count as different. */
FXT_API uint32_t fxt_check_record(struct fxt_checker *checker, const struct fxt_record *record);

/* Takes an error or a zero word of fxt_reader_next, or LIM-02 with the status FXT_FULL for a record
   that was skipped. Returns the number of findings. A run of zero words gives one finding, at its
   first word. */
FXT_API uint32_t fxt_check_error(struct fxt_checker *checker, const struct fxt_error *error);

/* Stores the next finding about durations, asyncs and flows that never ended, flows outside of
   durations, and flows that share an id. Call it after the last record, until it returns false.
   `finding` is not in the checker. */
FXT_API bool fxt_check_end(struct fxt_checker *checker, struct fxt_finding *finding);

/* Returns FXT_OK if the record is canonical: the writer makes the same bytes from what the reader
   decodes. Else returns FXT_INVALID, with the rule that says why and the offset of the word.
   Implements CAN-01. */
FXT_API enum fxt_status fxt_check_canonical(const struct fxt_record *record,
                                            struct fxt_error *error);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/check.h"
#endif

#endif
