/* The checker: one walk a record, then the record's registrations; at the end, what never ended.
   The state is struct fxt_checker; the findings of the last call lie in it. */
#include "src/check/pairs.h"
#include "src/check/walk.h"
#include "src/wire/layout.h"

/* Behind UINT64_MAX the generations begin again: no checker counts so far, but its memory may hold
   any number. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == (generation == UINT64_MAX ? 1 : generation + 1);
  @*/
static uint64_t next_generation(uint64_t generation)
{
    return generation == UINT64_MAX ? 1 : generation + 1;
}

void fxt_check_init(struct fxt_checker *checker, const struct fxt_check_memory *memory,
                    enum fxt_edition edition)
{
    fxt_tables_init(&checker->tables, &memory->tables);
    checker->threads = memory->threads;
    checker->thread_max = memory->thread_max;
    checker->thread_count = 0;
    checker->opens = memory->opens;
    checker->open_max = memory->open_max;
    checker->open_count = 0;
    checker->generation = 0;
    /* As for the tables: memory that another checker used holds generations above 0. */
    /*@ loop invariant i <= memory->thread_max;
      @ loop assigns i, checker->generation;
      @ loop variant memory->thread_max - i;
      @*/
    for (uint32_t i = 0; i < memory->thread_max; i++)
        if (memory->threads[i].generation > checker->generation)
            checker->generation = memory->threads[i].generation;
    /*@ loop invariant i <= memory->open_max;
      @ loop assigns i, checker->generation;
      @ loop variant memory->open_max - i;
      @*/
    for (uint32_t i = 0; i < memory->open_max; i++)
        if (memory->opens[i].generation > checker->generation)
            checker->generation = memory->opens[i].generation;
    checker->generation = next_generation(checker->generation);
    checker->zero_end = 0;
    checker->may_compare = 0;
    checker->last_thread = 0;
    checker->last_open = 0;
    checker->finding_count = 0;
    checker->edition = edition;
    checker->started = 0;
    checker->full = 0;
    checker->lost = 0;
}

/* MET-10: what the trace before left open is reported now, then all is forgotten. */
/*@ requires \valid(walk) && \valid(walk->checker) && fxt_checker_ok(walk->checker);
  @ requires \separated(walk, walk->checker);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->generation, walk->checker->full, walk->checker->lost,
  @         walk->checker->thread_count, walk->checker->last_thread, walk->checker->open_count,
  @         walk->checker->last_open;
  @ ensures ok: fxt_checker_ok(walk->checker);
  @*/
static void begin_again(struct fxt_i_walk *walk)
{
    struct fxt_checker *checker = walk->checker;
    struct fxt_finding finding;

    /*@ loop invariant fxt_checker_ok(checker);
      @ loop assigns finding, FXT_I_REPORTS, checker->thread_count, checker->last_thread,
      @              checker->open_count, checker->last_open;
      @ loop variant checker->thread_count + checker->open_count;
      @*/
    while (fxt_check_end(checker, &finding))
        fxt_i_report(walk, finding.rule, finding.offset, finding.number);
    checker->generation = next_generation(checker->generation);
    checker->thread_count = 0;
    checker->open_count = 0;
    checker->full = 0;
    checker->lost = 0;
}

/* MET-07. A magic number record that is not quite one breaks MET-06 and no other rule. */
/*@ requires walk_ok(walk) && walk->checker != \null;
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->started;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_first(struct fxt_i_walk *walk)
{
    const struct fxt_record *record = walk->record;
    bool magic = record->type == FXT_RECORD_METADATA &&
                 fxt_record_metadata_type(record) == FXT_METADATA_TRACE_INFO &&
                 fxt_trace_info_header_trace_info_type(record->header) == FXT_TRACE_INFO_MAGIC;
    if (!magic)
        fxt_i_report(walk, FXT_RULE_MET_07, record->offset, 0);
    walk->checker->started = 1;
}

/* Takes what the record registers, but not into the tables of another provider than its own. */
/*@ requires walk_ok(walk) && \valid(walk->checker) && fxt_checker_ok(walk->checker);
  @ requires fxt_checker_apart(walk->checker, walk->record);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->full, walk->checker->lost,
  @         walk->checker->tables.generation, walk->checker->tables.epoch,
  @         walk->checker->tables.arena_used, walk->checker->tables.arena_garbage,
  @         walk->checker->tables.provider_count, walk->checker->tables.current,
  @         walk->checker->tables.object_count,
  @         walk->checker->tables.providers[0 .. walk->checker->tables.provider_max - 1],
  @         walk->checker->tables.provider_ids[0 .. walk->checker->tables.provider_max - 1],
  @         walk->checker->tables.objects[0 .. walk->checker->tables.object_max - 1],
  @         walk->checker->tables.arena[0 .. walk->checker->tables.arena_size - 1];
  @ ensures ok: fxt_checker_ok(walk->checker);
  @*/
static void register_record(struct fxt_i_walk *walk)
{
    struct fxt_checker *checker = walk->checker;
    struct fxt_error error;
    uint8_t kind = fxt_record_metadata_type(walk->record);
    bool selects = walk->record->type == FXT_RECORD_METADATA &&
                   (kind == FXT_METADATA_PROVIDER_INFO || kind == FXT_METADATA_PROVIDER_SECTION);

    if (checker->lost && !selects)
        return;
    enum fxt_status status = fxt_tables_apply(&checker->tables, walk->record, &error);
    if (status == FXT_FULL)
        fxt_i_check_full(walk);
    if (selects && status != FXT_MALFORMED)
        checker->lost = status == FXT_FULL;
}

/* The walk goes by fields, and a field's stream lies behind the header that names it. */
/*@ requires \valid(checker);
  @ terminates \true;
  @ assigns checker->findings[0 .. 63];
  @ ensures sorted: fxt_findings_sorted(checker, fxt_findings_kept(checker));
  @*/
static void sort_findings(struct fxt_checker *checker)
{
    uint32_t kept =
        checker->finding_count < FXT_FINDINGS_MAX ? checker->finding_count : FXT_FINDINGS_MAX;

    /*@ loop invariant 1 <= i && (i <= kept || kept == 0);
      @ loop invariant sorted: kept > 0 ==> fxt_findings_sorted(checker, i);
      @ loop assigns i, checker->findings[0 .. 63];
      @ loop variant kept - i;
      @*/
    for (uint32_t i = 1; i < kept; i++) {
        struct fxt_finding finding = checker->findings[i];
        uint32_t at = i;
        /*@ loop invariant 0 <= at <= i;
          @ loop invariant below: fxt_findings_sorted(checker, at);
          @ loop invariant above: \forall integer k, l; at < k <= l <= i ==>
          @   checker->findings[k].offset <= checker->findings[l].offset;
          @ loop invariant across: \forall integer k, l; 0 <= k < at < l <= i ==>
          @   checker->findings[k].offset <= checker->findings[l].offset;
          @ loop invariant larger: \forall integer k; at < k <= i ==>
          @   finding.offset < checker->findings[k].offset;
          @ loop assigns at, checker->findings[0 .. 63];
          @ loop variant at;
          @*/
        for (; at > 0 && checker->findings[at - 1].offset > finding.offset; at--)
            checker->findings[at] = checker->findings[at - 1];
        /*@ assert smaller: \forall integer k; 0 <= k < at ==>
          @   checker->findings[k].offset <= finding.offset; */
        checker->findings[at] = finding;
    }
}

/* For each byte of a record so many bytes of registered names may be compared: enough for any trace
   but one that was made to keep the checker busy. */
#define COMPARED_MAX 256u

/*@ requires \valid(checker) && fxt_checker_ok(checker);
  @ requires \valid_read(record) && fxt_record_ok(record) && fxt_checker_apart(checker, record);
  @ terminates \true;
  @ assigns checker->finding_count, checker->findings[0 .. 63],
  @         checker->started, checker->full, checker->lost, checker->generation,
  @         checker->may_compare, checker->thread_count, checker->last_thread,
  @         checker->open_count, checker->last_open,
  @         checker->threads[0 .. checker->thread_max - 1],
  @         checker->opens[0 .. checker->open_max - 1],
  @         checker->tables.generation, checker->tables.epoch, checker->tables.arena_used,
  @         checker->tables.arena_garbage, checker->tables.provider_count,
  @         checker->tables.current, checker->tables.object_count,
  @         checker->tables.providers[0 .. checker->tables.provider_max - 1],
  @         checker->tables.provider_ids[0 .. checker->tables.provider_max - 1],
  @         checker->tables.objects[0 .. checker->tables.object_max - 1],
  @         checker->tables.arena[0 .. checker->tables.arena_size - 1];
  @ ensures ok: fxt_checker_ok(checker);
  @ ensures sorted: fxt_findings_sorted(checker, fxt_findings_kept(checker));
  @*/
static void check_slowly(struct fxt_checker *checker, const struct fxt_record *record)
{
    struct fxt_i_walk walk = {.checker = checker, .record = record};

    if (checker->may_compare < UINT64_MAX / 2)
        checker->may_compare += UINT64_C(8) * COMPARED_MAX * record->words;
    if (!checker->started)
        walk_first(&walk);
    if (record->header == FXT_MAGIC && record->offset > 0)
        begin_again(&walk);
    fxt_i_walk_record(&walk);
    if (record->type != FXT_RECORD_EVENT)
        register_record(&walk);
    sort_findings(checker);
}

uint32_t fxt_check_record(struct fxt_checker *checker, const struct fxt_record *record)
{
    checker->finding_count = 0;
    if (record->type != FXT_RECORD_EVENT || !checker->started || checker->lost ||
        !fxt_i_plain_event(checker, record))
        check_slowly(checker, record);
    return checker->finding_count;
}

uint32_t fxt_check_error(struct fxt_checker *checker, const struct fxt_error *error)
{
    struct fxt_i_walk walk = {.checker = checker};
    bool goes_on =
        error->status == FXT_ZERO_WORD && checker->zero_end == error->offset && error->offset > 0;

    checker->finding_count = 0;
    /* A record that is passed over for its size is no magic number. Where reading stops there is no
       first record, and a zero word is none. */
    if (error->status == FXT_FULL && !checker->started)
        fxt_i_report(&walk, FXT_RULE_MET_07, error->offset, 0);
    if (error->status == FXT_ZERO_WORD)
        checker->zero_end = error->offset <= UINT64_MAX - 8 ? error->offset + 8 : 0;
    else
        checker->started = 1;
    if (!goes_on)
        fxt_i_report(&walk, error->rule, error->offset, 0);
    return checker->finding_count;
}

/*@ requires \valid_read(checker) && \valid_read(thread) && \valid(finding);
  @ requires \separated(finding, checker);
  @ terminates \true;
  @ assigns *finding;
  @ ensures found: \result ==> finding->rule == FXT_RULE_EVT_04;
  @ ensures none: !\result ==> *finding == \old(*finding);
  @*/
static bool unfinished_thread(const struct fxt_checker *checker, struct fxt_finding *finding,
                              const struct fxt_check_thread *thread)
{
    if (thread->generation != checker->generation || thread->depth == 0)
        return false;
    finding->offset = thread->begin_offset;
    finding->number = thread->depth;
    finding->rule = FXT_RULE_EVT_04;
    return true;
}

/*@ requires \valid_read(checker) && \valid_read(open) && \valid(finding);
  @ requires \separated(finding, checker);
  @ terminates \true;
  @ assigns *finding;
  @ ensures found: \result ==> finding->rule \in {FXT_RULE_EVT_06, FXT_RULE_EVT_07};
  @ ensures none: !\result ==> *finding == \old(*finding);
  @*/
static bool unfinished_open(const struct fxt_checker *checker, struct fxt_finding *finding,
                            const struct fxt_check_open *open)
{
    bool matched = open->begins == open->ends && open->begins > 0 &&
                   open->earliest == open->earliest_begin && open->latest == open->latest_end;

    if (open->generation != checker->generation || checker->full || matched)
        return false;
    finding->offset = open->offset;
    finding->number = open->id;
    finding->rule = open->flow ? FXT_RULE_EVT_07 : FXT_RULE_EVT_06;
    return true;
}

/* The chain of threads: as long as the count says, whatever stands in it. */
/*@ requires \valid(checker) && \valid(finding) && \separated(finding, checker);
  @ requires checker->thread_max > 0 ==>
  @          \valid_read(checker->threads + (0 .. checker->thread_max - 1));
  @ terminates \true;
  @ assigns *finding, checker->last_thread, checker->thread_count;
  @ ensures found: \result ==> finding->rule == FXT_RULE_EVT_04;
  @ ensures none: !\result ==> *finding == \old(*finding);
  @ ensures less: checker->thread_count <= \old(checker->thread_count);
  @ ensures one: \result ==> checker->thread_count < \old(checker->thread_count);
  @*/
static bool end_threads(struct fxt_checker *checker, struct fxt_finding *finding)
{
    /*@ loop invariant *finding == \at(*finding, Pre);
      @ loop invariant checker->thread_count <= \at(checker->thread_count, Pre);
      @ loop assigns *finding, checker->last_thread, checker->thread_count;
      @ loop variant checker->thread_count;
      @*/
    while (checker->thread_count > 0 && checker->last_thread > 0 &&
           checker->last_thread <= checker->thread_max) {
        const struct fxt_check_thread *thread = &checker->threads[checker->last_thread - 1];
        checker->last_thread = thread->previous;
        checker->thread_count--;
        if (unfinished_thread(checker, finding, thread))
            return true;
    }
    return false;
}

/* The chain of asyncs and flows: as long as the count says, whatever stands in it. */
/*@ requires \valid(checker) && \valid(finding) && \separated(finding, checker);
  @ requires checker->open_max > 0 ==>
  @          \valid_read(checker->opens + (0 .. checker->open_max - 1));
  @ terminates \true;
  @ assigns *finding, checker->last_open, checker->open_count;
  @ ensures found: \result ==> finding->rule \in {FXT_RULE_EVT_06, FXT_RULE_EVT_07};
  @ ensures none: !\result ==> *finding == \old(*finding);
  @ ensures less: checker->open_count <= \old(checker->open_count);
  @ ensures one: \result ==> checker->open_count < \old(checker->open_count);
  @*/
static bool end_opens(struct fxt_checker *checker, struct fxt_finding *finding)
{
    /*@ loop invariant *finding == \at(*finding, Pre);
      @ loop invariant checker->open_count <= \at(checker->open_count, Pre);
      @ loop assigns *finding, checker->last_open, checker->open_count;
      @ loop variant checker->open_count;
      @*/
    while (checker->open_count > 0 && checker->last_open > 0 &&
           checker->last_open <= checker->open_max) {
        const struct fxt_check_open *open = &checker->opens[checker->last_open - 1];
        checker->last_open = open->previous;
        checker->open_count--;
        if (unfinished_open(checker, finding, open))
            return true;
    }
    return false;
}

bool fxt_check_end(struct fxt_checker *checker, struct fxt_finding *finding)
{
    return end_threads(checker, finding) || end_opens(checker, finding);
}

enum fxt_status fxt_check_canonical(const struct fxt_record *record, struct fxt_error *error)
{
    struct fxt_i_walk walk = {.checker = NULL, .record = record};

    fxt_i_walk_record(&walk);
    if (walk.canonical.rule == FXT_RULE_NONE)
        return FXT_OK;
    error->offset = walk.canonical.offset;
    error->status = FXT_INVALID;
    error->rule = walk.canonical.rule;
    return FXT_INVALID;
}
