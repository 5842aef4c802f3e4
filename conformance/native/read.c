/* The levels of a reader and of a checker. Each walks the whole input once. The memory of tables and
   checker is static and serves one input after the other; none of it has to be cleared between. */
#include "conformance/native/native.h"

#include <fxt/read.h>

#include "src/convert/convert.h"

enum { PROVIDERS = 16, OBJECTS = 4096, THREADS = 4096, OPENS = 4096, ARENA = 1 << 22 };

static struct fxt_provider providers[PROVIDERS];
static uint32_t provider_ids[PROVIDERS];
static struct fxt_object objects[OBJECTS];
static struct fxt_check_thread threads[THREADS];
static struct fxt_check_open opens[OPENS];
static uint8_t arena[ARENA];
static struct fxt_tables tables;
static struct fxt_checker checker;

static const struct fxt_check_memory memory = {
    .tables = {.providers = providers,
               .provider_ids = provider_ids,
               .objects = objects,
               .arena = arena,
               .provider_max = PROVIDERS,
               .object_max = OBJECTS,
               .arena_size = ARENA},
    .threads = threads,
    .opens = opens,
    .thread_max = THREADS,
    .open_max = OPENS,
};

/* What a level does with each result of the reader; no error: nothing is done. */
struct visitor {
    void (*record)(const struct job *job, const struct fxt_record *record);
    void (*error)(const struct job *job, const struct fxt_error *error);
};

static void visit(const struct job *job, struct visitor visitor)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    fxt_reader_init(&reader, job->bytes, job->size);
    do {
        status = fxt_reader_next(&reader, &record, &error);
        if (status == FXT_OK)
            visitor.record(job, &record);
        else if (status != FXT_END && visitor.error != NULL)
            visitor.error(job, &error);
    } while (status == FXT_OK || status == FXT_ZERO_WORD);
}

/* ---- findings, and the exit code, which is theirs at every level */

static bool malformed;
static bool printing;

static void take(const struct job *job, const struct fxt_finding *finding)
{
    malformed = malformed || fxt_rule_class(finding->rule) == FXT_MALFORMED_CLASS;
    if (!printing)
        return;
    fxt_out_text(job->out, "{\"rule\":\"");
    fxt_out_text(job->out, fxt_rule_id(finding->rule));
    fxt_out_text(job->out, "\",\"offset\":");
    fxt_out_u64(job->out, finding->offset);
    fxt_out_text(job->out, "}\n");
}

static void take_all(const struct job *job, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < FXT_FINDINGS_MAX; i++)
        take(job, &checker.findings[i]);
}

static void check_record(const struct job *job, const struct fxt_record *record)
{
    take_all(job, fxt_check_record(&checker, record));
}

static void check_error(const struct job *job, const struct fxt_error *error)
{
    take_all(job, fxt_check_error(&checker, error));
}

static int check(const struct job *job, bool print)
{
    struct visitor visitor = {check_record, check_error};
    struct fxt_finding finding;
    malformed = false;
    printing = print;
    fxt_check_init(&checker, &memory, job->edition);
    visit(job, visitor);
    while (fxt_check_end(&checker, &finding))
        take(job, &finding);
    return malformed ? 1 : 0;
}

int level_findings(const struct job *job)
{
    return check(job, true);
}

int level_exit(const struct job *job)
{
    return check(job, false);
}

/* ---- what is read */

static void print_record(const struct job *job, const struct fxt_record *record)
{
    struct fxt_error ignored;
    fxt_tables_apply(&tables, record, &ignored);
    fxt_convert_jsonl_record(job->out, &tables, record);
}

static void print_error(const struct job *job, const struct fxt_error *error)
{
    fxt_convert_jsonl_error(job->out, error);
}

static void print_event(const struct job *job, const struct fxt_record *record)
{
    struct fxt_error ignored;
    fxt_tables_apply(&tables, record, &ignored);
    fxt_convert_events_record(job->out, &tables, record);
}

static int print(const struct job *job, struct visitor visitor)
{
    fxt_tables_init(&tables, &memory.tables);
    visit(job, visitor);
    return check(job, false);
}

int level_records(const struct job *job)
{
    return print(job, (struct visitor){print_record, print_error});
}

int level_events(const struct job *job)
{
    return print(job, (struct visitor){print_event, NULL});
}
