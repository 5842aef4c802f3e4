/* The checker. Each record is walked once, and then its definitions are registered. At the end, the
   checker reports durations, asyncs and flows that never ended. The state is struct fxt_checker,
   which also holds the findings of the last call. */
#include "src/check/pairs.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* After UINT64_MAX, generations start again at 1. No checker counts that far, but its memory may
   hold any number. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (generation == UINT64_MAX ? 1 : generation + 1);
  @*/
static uint64_t next_generation(uint64_t generation)
{
    return generation == UINT64_MAX ? 1 : generation + 1;
}

/* The largest generation in the memory, which another checker may have used before. */
/*@ requires \valid_read(memory);
  @ requires memory->thread_max > 0
  @          ==> \valid_read(memory->threads + (0 .. memory->thread_max - 1));
  @ requires memory->open_max > 0
  @          ==> \valid_read(memory->opens + (0 .. memory->open_max - 1));
  @ terminates \true;
  @ assigns \nothing;
  @*/
static uint64_t largest_generation(const struct fxt_check_memory *memory)
{
    uint64_t largest = 0;

    if (memory->tables.zeroed)
        return 0;
    /*@ loop invariant i <= memory->thread_max;
      @ loop assigns i, largest;
      @ loop variant memory->thread_max - i;
      @*/
    for (uint32_t i = 0; i < memory->thread_max; i++)
        if (memory->threads[i].generation > largest)
            largest = memory->threads[i].generation;
    /*@ loop invariant i <= memory->open_max;
      @ loop assigns i, largest;
      @ loop variant memory->open_max - i;
      @*/
    for (uint32_t i = 0; i < memory->open_max; i++)
        if (memory->opens[i].generation > largest)
            largest = memory->opens[i].generation;
    return largest;
}

void fxt_check_init(struct fxt_checker *checker, const struct fxt_check_memory *memory,
                    enum fxt_edition edition)
{
    uint64_t largest = largest_generation(memory);

    fxt_tables_init(&checker->tables, &memory->tables);
    checker->threads = memory->threads;
    checker->thread_max = memory->thread_max;
    checker->thread_count = 0;
    checker->opens = memory->opens;
    checker->open_max = memory->open_max;
    checker->open_count = 0;
    checker->generation = next_generation(largest);
    checker->zero_end = 0;
    checker->may_compare = 0;
    checker->forgotten = 0;
    checker->last_thread = 0;
    checker->last_open = 0;
    checker->last_flow = 0;
    checker->finding_count = 0;
    checker->edition = edition;
    checker->started = 0;
    checker->full = 0;
    checker->shared = 0;
    checker->lost = 0;
    /*@ assert tables: fxt_tables_ok(&checker->tables); */
    /*@ assert pointers: checker->threads == \at(memory->threads, Pre)
      @   && checker->opens == \at(memory->opens, Pre)
      @   && checker->tables.providers == \at(memory->tables.providers, Pre)
      @   && checker->tables.provider_ids == \at(memory->tables.provider_ids, Pre)
      @   && checker->tables.objects == \at(memory->tables.objects, Pre)
      @   && checker->tables.arena == \at(memory->tables.arena, Pre); */
    /*@ assert sizes: checker->thread_max == \at(memory->thread_max, Pre)
      @   && checker->open_max == \at(memory->open_max, Pre)
      @   && checker->tables.provider_max == \at(memory->tables.provider_max, Pre)
      @   && checker->tables.object_max == \at(memory->tables.object_max, Pre)
      @   && checker->tables.arena_size == \at(memory->tables.arena_size, Pre); */
}

// clang-format off
/* For contracts: a step of the check preserves the invariant of the checker. */
#define STEP                                                                                       \
    ensures kept: checker_kept{Old, Here}(walk->checker);                                          \
    ensures ok: checks(walk, walk->checker, walk->record)
/* For contracts: what registering a record may change. */
#define TABLES                                                                                     \
    walk->checker->tables.generation, walk->checker->tables.epoch,                                 \
    walk->checker->tables.arena_used, walk->checker->tables.arena_garbage,                         \
    walk->checker->tables.provider_count, walk->checker->tables.current,                           \
    walk->checker->tables.object_count,                                                            \
    walk->checker->tables.providers[0 .. walk->checker->tables.provider_max - 1],                  \
    walk->checker->tables.provider_ids[0 .. walk->checker->tables.provider_max - 1],               \
    walk->checker->tables.objects[0 .. walk->checker->tables.object_max - 1],                      \
    walk->checker->tables.arena[0 .. walk->checker->tables.arena_size - 1]
// clang-format on

/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS; */
static void report(struct fxt_i_walk *walk, enum fxt_rule rule, uint64_t offset, uint64_t number)
{
    fxt_i_report(walk, rule, offset, number);
    /*@ assert kept: checker_kept{Pre,Here}(walk->checker); */
    /*@ assert tables: tables_kept{Pre,Here}(&walk->checker->tables); */
    /*@ assert record: record_kept{Pre,Here}(walk->record); */
}

/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->full; */
static void report_full(struct fxt_i_walk *walk)
{
    /*@ assert notes: walk_notes(walk); */
    fxt_i_check_full(walk);
    /*@ assert kept: checker_kept{Pre,Here}(walk->checker); */
    /*@ assert tables: tables_kept{Pre,Here}(&walk->checker->tables); */
    /*@ assert record: record_kept{Pre,Here}(walk->record); */
}

/* Reports one thing that never ended. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->last_flow;
  @ ensures less: \result ==> fxt_check_left(walk->checker) < \old(fxt_check_left(walk->checker));
  @*/
static bool report_end(struct fxt_i_walk *walk)
{
    struct fxt_finding finding;
    bool found = fxt_check_end(walk->checker, &finding);

    /*@ assert kept: checker_kept{Pre,Here}(walk->checker); */
    /*@ assert tables: tables_kept{Pre,Here}(&walk->checker->tables); */
    /*@ assert record: record_kept{Pre,Here}(walk->record); */
    /*@ assert still: checks(walk, walk->checker, walk->record); */
    if (found)
        report(walk, finding.rule, finding.offset, finding.number);
    return found;
}

/* MET-10: reports what the previous trace left open, then forgets everything. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->generation, walk->checker->full, walk->checker->shared,
  @         walk->checker->lost, walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->last_flow,
  @         walk->checker->forgotten;
  @*/
static void begin_again(struct fxt_i_walk *walk)
{
    struct fxt_checker *checker = walk->checker;

    /*@ loop invariant kept: checker_kept{Pre,Here}(checker);
      @ loop invariant ok: checks(walk, checker, walk->record);
      @ loop assigns FXT_I_REPORTS, checker->thread_count, checker->last_thread,
      @              checker->open_count, checker->last_open, checker->last_flow;
      @ // What fxt_check_left says; in a variant WP reads a logic function at one moment only.
      @ loop variant 2 * checker->thread_count + (checker->last_flow > 0 ? 1 : 0)
      @              + checker->open_count;
      @*/
    while (report_end(walk))
        ;
    /*@ assert ended: checks(walk, checker, walk->record); */
    /*@ ghost ended:; */
    checker->generation = next_generation(checker->generation);
    checker->thread_count = 0;
    checker->open_count = 0;
    checker->forgotten = 0;
    checker->full = 0;
    checker->shared = 0;
    checker->lost = 0;
    /*@ assert since: checker_kept{ended,Here}(checker); */
    /*@ assert tables: tables_kept{ended,Here}(&checker->tables); */
    /*@ assert record: record_kept{ended,Here}(walk->record); */
}

/* MET-07. A defective magic number record breaks only MET-06. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->started; */
static void walk_first(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    bool magic = record->type == FXT_RECORD_METADATA &&
                 fxt_record_metadata_type(record) == FXT_METADATA_TRACE_INFO &&
                 fxt_trace_info_header_trace_info_type(record->header) == FXT_TRACE_INFO_MAGIC;
    if (!magic)
        report(walk, FXT_RULE_MET_07, record->offset, 0);
    walk->checker->started = 1;
}

/* Registers what the record defines. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns TABLES; */
static enum fxt_status apply(struct fxt_i_walk *walk)
{
    struct fxt_checker *checker = walk->checker;
    struct fxt_error error;

    enum fxt_status status = fxt_tables_apply(&checker->tables, walk->record, &error);
    /*@ assert kept: checker_kept{Pre,Here}(checker); */
    /*@ assert record: record_kept{Pre,Here}(walk->record); */
    return status;
}

/* Registers what the record defines, unless it may be unknown what the provider defined before. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->full, walk->checker->shared,
  @         walk->checker->lost, TABLES;
  @*/
static void register_record(struct fxt_i_walk *walk)
{
    struct fxt_checker *checker = walk->checker;
    uint8_t kind = fxt_record_metadata_type(walk->record);
    bool selects = walk->record->type == FXT_RECORD_METADATA &&
                   (kind == FXT_METADATA_PROVIDER_INFO || kind == FXT_METADATA_PROVIDER_SECTION);

    if (checker->lost && !selects)
        return;
    enum fxt_status status = apply(walk);
    /*@ assert applied: checker_kept{Pre,Here}(checker); */
    if (status == FXT_FULL)
        report_full(walk);
    /*@ assert kept: checker_kept{Pre,Here}(checker); */
    if (selects && status == FXT_FULL)
        checker->shared = 1;
    if (selects && status != FXT_MALFORMED)
        checker->lost =
            checker->shared && checker->tables.current == checker->tables.provider_max - 1;
}

/*@ predicate in_order(struct fxt_finding *f, integer from, integer to) =
  @   \forall integer i, j; from <= i <= j < to ==> f[i].offset <= f[j].offset;
  @*/

/*@ requires \valid(to) && \valid_read(from) && \separated(to, from);
  @ terminates \true;
  @ assigns to->offset, to->number, to->rule;
  @ ensures offset: to->offset == \old(from->offset);
  @*/
static inline void copy_finding(struct fxt_finding *to, const struct fxt_finding *from)
{
    to->offset = from->offset;
    to->number = from->number;
    to->rule = from->rule;
}

/* Inserts the finding at `last` in order among those before it. */
/*@ requires 0 < last < 64 && \valid(findings + (0 .. 63)) && in_order(findings, 0, last);
  @ terminates \true;
  @ assigns findings[0 .. 63];
  @ ensures sorted: in_order(findings, 0, last + 1);
  @*/
static void sort_in(struct fxt_finding *findings, uint32_t last)
{
    struct fxt_finding finding = findings[last];
    uint32_t at = last;

    /*@ loop invariant 0 <= at <= last;
      @ loop invariant below: in_order(findings, 0, at);
      @ loop invariant above: in_order(findings, at + 1, last + 1);
      @ loop invariant across: \forall integer k, l; 0 <= k < at < l <= last ==>
      @   findings[k].offset <= findings[l].offset;
      @ loop invariant larger: \forall integer k; at < k <= last ==>
      @   finding.offset < findings[k].offset;
      @ loop assigns at, findings[0 .. 63];
      @ loop variant at;
      @*/
    for (; at > 0 && findings[at - 1].offset > finding.offset; at--)
        copy_finding(&findings[at], &findings[at - 1]);
    /*@ assert smaller: \forall integer k; 0 <= k < at ==>
      @   findings[k].offset <= finding.offset; */
    findings[at] = finding;
}

/* The walk reports in the order of fields, but a field's stream is elsewhere in the record. */
/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ terminates \true;
  @ assigns checker->findings[0 .. 63];
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures sorted: fxt_findings_sorted(checker, fxt_findings_kept(checker));
  @*/
static void sort_findings(struct fxt_checker *checker)
{
    uint32_t kept =
        checker->finding_count < FXT_FINDINGS_MAX ? checker->finding_count : FXT_FINDINGS_MAX;

    /*@ loop invariant 1 <= i && (i <= kept || kept == 0);
      @ loop invariant sorted: kept > 0 ==> in_order(&checker->findings[0], 0, i);
      @ loop assigns i, checker->findings[0 .. 63];
      @ loop variant kept - i;
      @*/
    for (uint32_t i = 1; i < kept; i++)
        sort_in(checker->findings, i);
}

/* Walks the record. The contract adds what does not change. */
/*@ requires walk_ok(walk) && walk->checker != \null && walk_notes(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare, walk->checker->full,
  @         walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->forgotten,
  @         walk->checker->threads[0 .. walk->checker->thread_max - 1],
  @         walk->checker->opens[0 .. walk->checker->open_max - 1],
  @         walk->checker->tables.providers[walk->checker->tables.current];
  @ ensures kept: checker_kept{Old,Here}(walk->checker);
  @ ensures tables: tables_kept{Old,Here}(&walk->checker->tables);
  @ ensures record: record_kept{Old,Here}(walk->record);
  @*/
static void walk_noting(struct fxt_i_walk *walk)
{
    /*@ assert own: \separated(walk, walk->checker); */
    /*@ assert provider: \separated(walk->checker,
      @                              walk->checker->tables.providers + walk->checker->tables.current); */
    /*@ assert threads: \separated(walk->checker,
      @   walk->checker->threads + (0 .. walk->checker->thread_max - 1)); */
    /*@ assert opens: \separated(walk->checker,
      @   walk->checker->opens + (0 .. walk->checker->open_max - 1)); */
    fxt_i_walk_record(walk);
    /*@ assert object_max: walk->checker->tables.object_max
      @   == \at(walk->checker->tables.object_max, Pre); */
    /*@ assert current: walk->checker->tables.current == \at(walk->checker->tables.current, Pre); */
    /*@ assert arena_size: walk->checker->tables.arena_size
      @   == \at(walk->checker->tables.arena_size, Pre); */
    /*@ assert arena_used: walk->checker->tables.arena_used
      @   == \at(walk->checker->tables.arena_used, Pre); */
    /*@ assert garbage: walk->checker->tables.arena_garbage
      @   == \at(walk->checker->tables.arena_garbage, Pre); */
    /*@ assert provider_max: walk->checker->tables.provider_max
      @   == \at(walk->checker->tables.provider_max, Pre); */
}

/* Walks the record. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare, walk->checker->full,
  @         walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->forgotten,
  @         walk->checker->threads[0 .. walk->checker->thread_max - 1],
  @         walk->checker->opens[0 .. walk->checker->open_max - 1],
  @         walk->checker->tables.providers[0 .. walk->checker->tables.provider_max - 1];
  @*/
static void walk_record(struct fxt_i_walk *walk)
{
    /*@ assert notes: walk_notes(walk); */
    walk_noting(walk);
}

/* Whether records of the type have a timestamp. */
/*@ requires \valid_read(record);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static bool has_timestamp(const struct fxt_record *record)
{
    return record->type == FXT_RECORD_EVENT || record->type == FXT_RECORD_SCHEDULING ||
           record->type == FXT_RECORD_LOG || record->type == FXT_RECORD_PROFILER ||
           (record->type == FXT_RECORD_LARGE &&
            fxt_record_blob_format(record) == FXT_LARGE_BLOB_METADATA);
}

/* INI-03: notes that the provider's tick rate has been used, unless the record is malformed or of
   an unknown type. */
/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns walk->checker->tables.providers[walk->checker->tables.current].timed; */
static void note_time(struct fxt_i_walk *walk)
{
    const struct fxt_checker *checker = walk->checker;
    uint32_t count = checker->finding_count;
    enum fxt_rule last = FXT_RULE_NONE;

    if (checker->lost)
        return;
    if (count > 0 && count <= FXT_FINDINGS_MAX)
        last = checker->findings[count - 1].rule;
    if (last == FXT_RULE_SCH_02 || last == FXT_RULE_PRF_01 || last == FXT_RULE_LRG_01 ||
        fxt_rule_class(last) == FXT_MALFORMED_CLASS)
        return;
    fxt_i_current_provider(&walk->checker->tables)->timed = 1;
}

/*@ requires checks(walk, walk->checker, walk->record); terminates \true; STEP;
  @ assigns FXT_I_REPORTS, walk->checker->started, walk->checker->full, walk->checker->shared,
  @         walk->checker->lost, walk->checker->generation, walk->checker->may_compare,
  @         walk->checker->thread_count, walk->checker->last_thread,
  @         walk->checker->open_count, walk->checker->last_open, walk->checker->last_flow,
  @         walk->checker->forgotten,
  @         walk->checker->threads[0 .. walk->checker->thread_max - 1],
  @         walk->checker->opens[0 .. walk->checker->open_max - 1],
  @         TABLES;
  @*/
static void walk_and_register(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;

    if (!walk->checker->started)
        walk_first(walk);
    if (record->header == FXT_MAGIC && record->offset > 0)
        begin_again(walk);
    walk_record(walk);
    if (has_timestamp(record))
        note_time(walk);
    if (record->type != FXT_RECORD_EVENT)
        register_record(walk);
}

/* Bytes of registered names that may be compared for each byte of a record: enough for every trace
   that was not made to slow the checker down. */
#define COMPARED_MAX 256u

/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid_read(record) && fxt_record_ok(record) && fxt_checker_apart(checker, record);
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. 63],
  @         checker->started, checker->full, checker->shared, checker->lost,
  @         checker->generation, checker->may_compare, checker->thread_count, checker->last_thread,
  @         checker->open_count, checker->last_open, checker->last_flow, checker->forgotten,
  @         checker->threads[0 .. checker->thread_max - 1],
  @         checker->opens[0 .. checker->open_max - 1],
  @         checker->tables.generation, checker->tables.epoch, checker->tables.arena_used,
  @         checker->tables.arena_garbage, checker->tables.provider_count,
  @         checker->tables.current, checker->tables.object_count,
  @         checker->tables.providers[0 .. checker->tables.provider_max - 1],
  @         checker->tables.provider_ids[0 .. checker->tables.provider_max - 1],
  @         checker->tables.objects[0 .. checker->tables.object_max - 1],
  @         checker->tables.arena[0 .. checker->tables.arena_size - 1];
  @ ensures kept: checker_kept{Old,Here}(checker);
  @ ensures ok: fxt_checker_ok(checker);
  @*/
static void check_slowly(struct fxt_checker *checker, const struct fxt_record *record)
{
    struct fxt_i_walk walk = {.checker = checker, .record = record};

    if (checker->may_compare < UINT64_MAX / 2)
        checker->may_compare += UINT64_C(8) * COMPARED_MAX * record->words;
    /*@ assert apart: walk_apart(&walk, checker); */
    /*@ assert ok: checks(&walk, checker, record); */
    walk_and_register(&walk);
    /*@ assert still: fxt_checker_ok(checker); */
}

uint32_t fxt_check_record(struct fxt_checker *checker, const struct fxt_record *record)
{
    checker->finding_count = 0;
    /*@ assert ok: fxt_checker_ok(checker); */
    /*@ assert apart: fxt_record_ok(record) && fxt_checker_apart(checker, record); */
    bool plain = record->type == FXT_RECORD_EVENT && checker->started && !checker->lost &&
                 fxt_i_plain_event(checker, record);
    /*@ assert still: fxt_checker_ok(checker); */
    /*@ assert kept: !plain ==> checker_kept{Pre,Here}(checker); */
    /*@ assert record: !plain ==> fxt_record_ok(record) && fxt_checker_apart(checker, record); */
    /*@ assert few: plain ==> checker->finding_count <= 1; */
    if (!plain) {
        check_slowly(checker, record);
        sort_findings(checker);
    }
    return checker->finding_count;
}

uint32_t fxt_check_error(struct fxt_checker *checker, const struct fxt_error *error)
{
    struct fxt_i_walk walk = {.checker = checker};
    bool goes_on =
        error->status == FXT_ZERO_WORD && checker->zero_end == error->offset && error->offset > 0;

    checker->finding_count = 0;
    /* A record that is skipped because of its size is not a magic number record. Other errors end
       the trace before its first record, or are zero words, which are not records. */
    if (error->status == FXT_FULL && !checker->started)
        fxt_i_report(&walk, FXT_RULE_MET_07, error->offset, 0);
    /*@ assert same: error->offset == \at(error->offset, Pre); */
    /*@ assert first: checker->finding_count <= 1 && (checker->finding_count == 1
      @   ==> checker->findings[0].offset == \at(error->offset, Pre)); */
    if (error->status == FXT_ZERO_WORD)
        checker->zero_end = error->offset <= UINT64_MAX - 8 ? error->offset + 8 : 0;
    else
        checker->started = 1;
    if (!goes_on)
        fxt_i_report(&walk, error->rule, error->offset, 0);
    /*@ assert still: error->offset == \at(error->offset, Pre); */
    /*@ assert zero: checker->finding_count > 0
      @   ==> checker->findings[0].offset == \at(error->offset, Pre); */
    /*@ assert one: checker->finding_count > 1
      @   ==> checker->findings[1].offset == \at(error->offset, Pre); */
    /*@ assert two: checker->finding_count <= 2; */
    return checker->finding_count;
}

/* Follows the chain of threads to the next one with something to report. Returns its number, or 0.
   The count bounds the loop, whatever the chain contains. If the memory was full, flows are not
   judged; if a provider found no place, nothing is, because its ends were not seen. */
/*@ requires \valid(checker) && (checker->thread_max > 0 ==>
  @          \valid_read(checker->threads + (0 .. checker->thread_max - 1)));
  @ requires \separated(checker, checker->threads + (0 .. checker->thread_max - 1));
  @ terminates \true;
  @ assigns checker->last_thread, checker->thread_count;
  @ ensures inside: \result <= checker->thread_max;
  @ ensures less: checker->thread_count <= \old(checker->thread_count);
  @ ensures one: \result > 0 ==> checker->thread_count < \old(checker->thread_count);
  @*/
static uint32_t next_thread(struct fxt_checker *checker)
{
    /*@ loop invariant checker->thread_count <= \at(checker->thread_count, Pre);
      @ loop assigns checker->last_thread, checker->thread_count;
      @ loop variant checker->thread_count;
      @*/
    while (checker->thread_count > 0 && checker->last_thread > 0 &&
           checker->last_thread <= checker->thread_max) {
        uint32_t number = checker->last_thread;
        const struct fxt_check_thread *thread = &checker->threads[number - 1];
        checker->last_thread = thread->previous;
        checker->thread_count--;
        if (thread->generation == checker->generation && !checker->shared &&
            (thread->depth > 0 || (thread->flow_outside && !checker->full)))
            return number;
    }
    return 0;
}

/* The same for asyncs and flows. If the memory was full, they are not judged. */
/*@ requires \valid(checker) && (checker->open_max > 0 ==>
  @          \valid_read(checker->opens + (0 .. checker->open_max - 1)));
  @ requires \separated(checker, checker->opens + (0 .. checker->open_max - 1));
  @ terminates \true;
  @ assigns checker->last_open, checker->open_count;
  @ ensures there: \result != \null ==> \valid_read(\result);
  @ ensures less: checker->open_count <= \old(checker->open_count);
  @ ensures one: \result != \null ==> checker->open_count < \old(checker->open_count);
  @*/
static const struct fxt_check_open *next_open(struct fxt_checker *checker)
{
    /*@ loop invariant checker->open_count <= \at(checker->open_count, Pre);
      @ loop assigns checker->last_open, checker->open_count;
      @ loop variant checker->open_count;
      @*/
    while (checker->open_count > 0 && checker->last_open > 0 &&
           checker->last_open <= checker->open_max) {
        const struct fxt_check_open *open = &checker->opens[checker->last_open - 1];
        checker->last_open = open->previous;
        checker->open_count--;
        if (open->generation == checker->generation && !checker->full &&
            (!fxt_i_is_matched(open) || fxt_i_is_twice(open)))
            return open;
    }
    return NULL;
}

/*@ requires \valid(finding);
  @ terminates \true;
  @ assigns *finding;
  @ ensures finding->rule == rule;
  @*/
static void set_finding(struct fxt_finding *finding, uint64_t offset, uint64_t number,
                        enum fxt_rule rule)
{
    finding->offset = offset;
    finding->number = number;
    finding->rule = rule;
}

/* Reports EVT-04 of the next thread, or otherwise EVT-11. If a thread has both, the next call
   reports EVT-11. */
/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid(finding) && \separated(finding, checker);
  @ terminates \true;
  @ assigns *finding, checker->last_thread, checker->thread_count, checker->last_flow;
  @ ensures found: \result ==> finding->rule \in {FXT_RULE_EVT_04, FXT_RULE_EVT_11};
  @ ensures none: !\result ==> *finding == \old(*finding);
  @ ensures less: \result ==> fxt_check_left(checker) < \old(fxt_check_left(checker));
  @ ensures more: fxt_check_left(checker) <= \old(fxt_check_left(checker));
  @*/
static bool end_thread(struct fxt_checker *checker, struct fxt_finding *finding)
{
    uint32_t number = checker->last_flow <= checker->thread_max ? checker->last_flow : 0;
    bool flow_only = number > 0;

    checker->last_flow = 0;
    if (number == 0)
        number = next_thread(checker);
    if (number == 0)
        return false;
    const struct fxt_check_thread *thread = &checker->threads[number - 1];
    if (flow_only || thread->depth == 0) {
        set_finding(finding, thread->flow_offset, thread->flow_id, FXT_RULE_EVT_11);
        return true;
    }
    checker->last_flow = thread->flow_outside && !checker->full ? number : 0;
    set_finding(finding, thread->begin_offset, thread->depth, FXT_RULE_EVT_04);
    return true;
}

bool fxt_check_end(struct fxt_checker *checker, struct fxt_finding *finding)
{
    if (end_thread(checker, finding))
        return true;
    const struct fxt_check_open *open = next_open(checker);
    if (open == NULL)
        return false;
    if (!fxt_i_is_matched(open))
        set_finding(finding, open->offset, open->id,
                    open->flow ? FXT_RULE_EVT_07 : FXT_RULE_EVT_06);
    else
        set_finding(finding, open->twice_offset, open->id, FXT_RULE_EVT_13);
    return true;
}

/* Walks one record for its canonical form only. */
/*@ requires \valid(walk) && \valid_read(record) && fxt_record_ok(record);
  @ requires \separated(walk, record);
  @ terminates \true;
  @ assigns *walk;
  @ ensures ok: walk_ok(walk) && walk->checker == \null && walk->record == record;
  @ ensures none: walk->canonical.rule == FXT_RULE_NONE;
  @*/
static inline void begin_canonical(struct fxt_i_walk *walk, const struct fxt_record *record)
{
    walk->checker = NULL;
    walk->record = record;
    walk->canonical.offset = 0;
    walk->canonical.status = FXT_OK;
    walk->canonical.rule = FXT_RULE_NONE;
}

enum fxt_status fxt_check_canonical(const struct fxt_record *record, struct fxt_error *error)
{
    struct fxt_i_walk walk;

    /*@ assert apart: \separated(&walk, record) && \separated(&walk, error); */
    begin_canonical(&walk, record);
    fxt_i_walk_record(&walk);
    /*@ assert offset: error->offset == \at(error->offset, Pre); */
    /*@ assert status: error->status == \at(error->status, Pre); */
    /*@ assert rule: error->rule == \at(error->rule, Pre); */
    if (walk.canonical.rule == FXT_RULE_NONE)
        return FXT_OK;
    error->offset = walk.canonical.offset;
    error->status = FXT_INVALID;
    error->rule = walk.canonical.rule;
    return FXT_INVALID;
}
