/* Runs libfxtref over every vector of the corpus. For each: the assembler makes its bytes, the
   disassembler's text makes them again, the JSON Lines are the expected ones, the findings are
   those of the corpus in both editions, the canonical form is told right, canonical records survive
   decoding and encoding, and bytes that come in small pieces give the same.

   usage: vectors_test [PACK [KNOWN]]  (default: conformance/vectors.pack conformance/known.tsv)

   What a vector is: README.md. PACK is made by `extract.py --pack`. It has for each vector a line
   `ID CANONICAL FINDINGS TRACE SOURCE RECORDS` (0 or 1, a count, three sizes in bytes), a line
   `EDITION RULE OFFSET` for each finding, then the bytes of the trace, of its source and of its JSON
   Lines. One process, static memory; a vector's failures are printed, all of them, and counted. A
   vector that KNOWN lists has to fail. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fxt/check.h>
#include <fxt/read.h>

#include "src/convert/convert.h"
#include "src/convert/kinds.h"

enum { FILE_MAX = 1 << 20, TEXT_MAX = 1 << 22, FINDINGS = 1024 };
enum { PROVIDERS = 16, OBJECTS = 1024, THREADS = 1024, OPENS = 1024, ARENA = 1 << 20 };

struct text {
    char bytes[TEXT_MAX];
    size_t size;
};

struct findings {
    struct fxt_finding all[FINDINGS];
    size_t count;
};

struct vector {
    char id[128];
    uint8_t trace[FILE_MAX];
    size_t trace_size;
    struct text source;
    struct text json;
    struct findings expected[2]; /* by edition */
    bool canonical;
};

static struct vector vector;
static struct text printed;
static struct text printed_again;
static struct findings found;
static uint8_t assembled[FILE_MAX];
static uint8_t scratch[TEXT_MAX];
static uint8_t piece[FILE_MAX];
static char out_buffer[FXT_OUT_CAPACITY_MIN];

static struct fxt_provider providers[PROVIDERS];
static uint32_t provider_ids[PROVIDERS];
static struct fxt_object objects[OBJECTS];
static struct fxt_check_thread threads[THREADS];
static struct fxt_check_open opens[OPENS];
static uint8_t arena[ARENA];
static struct fxt_tables tables;
static struct fxt_checker checker;

static struct text known;
static bool is_known; /* the vector at hand */
static int failures;
static int failed_vectors;
static int known_vectors;

static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%s%s: ", is_known ? "known: " : "", vector.id);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    failures++;
}

static struct fxt_tables_memory tables_memory(void)
{
    return (struct fxt_tables_memory){.providers = providers,
                                      .provider_ids = provider_ids,
                                      .objects = objects,
                                      .arena = arena,
                                      .provider_max = PROVIDERS,
                                      .object_max = OBJECTS,
                                      .arena_size = ARENA};
}

/* ---- files */

static void load(FILE *pack, void *bytes, size_t size, size_t capacity)
{
    if (size > capacity || fread(bytes, 1, size, pack) != size) {
        printf("%s: is cut off, or larger than this test allows\n", vector.id);
        exit(1);
    }
}

/* Lines of id, tab, reason. */
static void load_known(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return;
    known.size = fread(known.bytes, 1, sizeof known.bytes - 1, file);
    fclose(file);
}

static bool known_lists(const char *id)
{
    size_t length = strlen(id);
    const char *line = known.bytes;
    while (line != NULL) {
        line += *line == '\n';
        if (strncmp(line, id, length) == 0 && line[length] == '\t')
            return true;
        line = strchr(line, '\n');
    }
    return false;
}

static void expect_finding(unsigned edition, const char *rule, uint64_t offset)
{
    struct findings *list = &vector.expected[edition];
    struct fxt_finding finding = {offset, 0, fxt_rule_by_id(rule)};
    if (finding.rule == FXT_RULE_NONE || list->count == FINDINGS)
        fail("cannot expect %s", rule);
    else
        list->all[list->count++] = finding;
}

static void load_finding(FILE *pack)
{
    char edition[8];
    char rule[8];
    unsigned long long offset;
    if (fscanf(pack, "%7s %7s %llu", edition, rule, &offset) != 3)
        fail("no finding where one is counted");
    fgetc(pack);
    if (strcmp(edition, "2020") == 0)
        expect_finding(FXT_EDITION_2020, rule, offset);
    else
        expect_finding(FXT_EDITION_CURRENT, rule, offset);
}

/* The next vector of the pack; false at its end. */
static bool load_vector(FILE *pack)
{
    int canonical;
    size_t findings;
    size_t sizes[3];
    if (fscanf(pack, "%127s %d %zu %zu %zu %zu", vector.id, &canonical, &findings, &sizes[0],
               &sizes[1], &sizes[2]) != 6)
        return false;
    fgetc(pack); /* a line's end: fscanf would skip blanks of the trace, too */
    vector.canonical = canonical != 0;
    vector.expected[0].count = 0;
    vector.expected[1].count = 0;
    while (findings-- > 0)
        load_finding(pack);
    load(pack, vector.trace, sizes[0], sizeof vector.trace);
    load(pack, vector.source.bytes, sizes[1], sizeof vector.source.bytes);
    load(pack, vector.json.bytes, sizes[2], sizeof vector.json.bytes);
    vector.trace_size = sizes[0];
    vector.source.size = sizes[1];
    vector.json.size = sizes[2];
    return true;
}

/* ---- comparing */

static void expect_bytes(const char *what, const void *got, size_t got_size, const void *wanted,
                         size_t wanted_size)
{
    const uint8_t *a = got;
    const uint8_t *b = wanted;
    size_t at = 0;
    if (got_size == wanted_size && memcmp(got, wanted, got_size) == 0)
        return;
    while (at < got_size && at < wanted_size && a[at] == b[at])
        at++;
    fail("%s: %zu bytes, expected %zu; they differ from byte %zu on", what, got_size, wanted_size,
         at);
}

static void expect_text(const char *what, const struct text *got, const struct text *wanted)
{
    size_t line = 0;
    if (got->size == wanted->size && memcmp(got->bytes, wanted->bytes, got->size) == 0)
        return;
    for (size_t i = 0; i < got->size && i < wanted->size && got->bytes[i] == wanted->bytes[i]; i++)
        if (got->bytes[i] == '\n')
            line = i + 1;
    fail("%s:\n  got      %.*s\n  expected %.*s", what, (int)strcspn(got->bytes + line, "\n"),
         got->bytes + line, (int)strcspn(wanted->bytes + line, "\n"), wanted->bytes + line);
}

static int by_offset(const void *a, const void *b)
{
    const struct fxt_finding *x = a;
    const struct fxt_finding *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->rule > y->rule) - (x->rule < y->rule);
}

static void expect_findings(const char *what, struct findings *got, struct findings *wanted)
{
    size_t i = 0;
    size_t j = 0;
    qsort(got->all, got->count, sizeof got->all[0], by_offset);
    qsort(wanted->all, wanted->count, sizeof wanted->all[0], by_offset);
    while (i < got->count || j < wanted->count) {
        int order = i == got->count      ? 1
                    : j == wanted->count ? -1
                                         : by_offset(&got->all[i], &wanted->all[j]);
        const struct fxt_finding *one = order < 0 ? &got->all[i] : &wanted->all[j];
        if (order != 0)
            fail("%s: %s @ 0x%llx %s", what, fxt_rule_id(one->rule),
                 (unsigned long long)one->offset, order < 0 ? "is too much" : "is missing");
        i += order <= 0;
        j += order >= 0;
    }
}

/* ---- the programs under test */

static bool keep_text(void *context, const char *bytes, size_t size)
{
    struct text *text = context;
    if (size > sizeof text->bytes - 1 - text->size)
        abort();
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
    return true;
}

static struct fxt_out out_to(struct text *text)
{
    struct fxt_out out = {out_buffer, sizeof out_buffer, 0, keep_text, text, false};
    text->size = 0;
    text->bytes[0] = '\0';
    return out;
}

static size_t assemble(const char *source, size_t size)
{
    struct fxt_assembler assembler;
    const char *end = source + size;
    fxt_asm_init(&assembler, assembled, sizeof assembled, scratch, sizeof scratch);
    while (source < end) {
        const char *stop = memchr(source, '\n', (size_t)(end - source));
        if (stop == NULL)
            stop = end;
        if (fxt_asm_line(&assembler, source, (size_t)(stop - source)) != FXT_OK)
            fail("line %d, column %d: %s", (int)assembler.line, (int)assembler.column,
                 assembler.message);
        source = stop < end ? stop + 1 : end;
    }
    return (size_t)assembler.size;
}

/* What is done with each result of the reader. */
struct visitor {
    void (*record)(const struct fxt_record *record, void *context);
    void (*error)(const struct fxt_error *error, void *context);
    void *context;
};

/* Reads the trace in pieces of `step` bytes; 0: as one span. */
static void visit(struct visitor visitor, size_t step)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    size_t filled = 0; /* of piece */
    size_t taken = 0;  /* of the trace */
    if (step == 0)
        fxt_reader_init(&reader, vector.trace, vector.trace_size);
    else
        fxt_reader_init_chunk(&reader, piece, 0);
    for (;;) {
        enum fxt_status status = fxt_reader_next(&reader, &record, &error);
        if (status == FXT_OK) {
            visitor.record(&record, visitor.context);
        } else if (status == FXT_MORE) {
            size_t rest = (size_t)fxt_reader_rest(&reader);
            size_t more = vector.trace_size - taken < step ? vector.trace_size - taken : step;
            if (rest < filled)
                memmove(piece, piece + filled - rest, rest);
            memcpy(piece + rest, vector.trace + taken, more);
            taken += more;
            filled = rest + more;
            fxt_reader_continue(&reader, piece, filled, taken == vector.trace_size);
        } else if (status == FXT_END) {
            return;
        } else {
            visitor.error(&error, visitor.context);
            if (status != FXT_ZERO_WORD)
                return;
        }
    }
}

static void dump_record(const struct fxt_record *record, void *out)
{
    struct fxt_error ignored;
    fxt_tables_apply(&tables, record, &ignored);
    fxt_convert_jsonl_record(out, &tables, record);
}

static void dump_error(const struct fxt_error *error, void *out)
{
    fxt_convert_jsonl_error(out, error);
}

static void dump(struct text *text, size_t step)
{
    struct fxt_tables_memory memory = tables_memory();
    struct fxt_out out = out_to(text);
    struct visitor visitor = {dump_record, dump_error, &out};
    fxt_tables_init(&tables, &memory);
    visit(visitor, step);
    fxt_out_flush(&out);
}

static void add_findings(struct findings *list, uint32_t count)
{
    if (count > FXT_FINDINGS_MAX || list->count + count > FINDINGS) {
        fail("more findings than the test keeps");
        return;
    }
    memcpy(list->all + list->count, checker.findings, count * sizeof checker.findings[0]);
    list->count += count;
}

static void check_record(const struct fxt_record *record, void *list)
{
    add_findings(list, fxt_check_record(&checker, record));
}

static void check_error(const struct fxt_error *error, void *list)
{
    add_findings(list, fxt_check_error(&checker, error));
}

static void check(struct findings *list, enum fxt_edition edition, size_t step)
{
    struct fxt_check_memory memory = {tables_memory(), threads, opens, THREADS, OPENS};
    struct visitor visitor = {check_record, check_error, list};
    list->count = 0;
    fxt_check_init(&checker, &memory, edition);
    visit(visitor, step);
    while (list->count < FINDINGS && fxt_check_end(&checker, &list->all[list->count]))
        list->count++;
}

static void disassemble_record(const struct fxt_record *record, void *out)
{
    fxt_convert_disasm_record(out, record);
}

static void disassemble_error(const struct fxt_error *error, void *out)
{
    fxt_convert_disasm_error(out, error);
    if (error->status != FXT_ZERO_WORD)
        fxt_convert_disasm_rest(out, vector.trace + error->offset,
                                vector.trace_size - error->offset);
}

/* ---- canonical form */

static void encode_again(const struct fxt_record *record)
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(record);
    struct fxt_arg args[FXT_ARGS_MAX];
    union fxt_convert_any any;
    struct fxt_writer writer;
    struct fxt_error error;
    size_t count = 0;
    if (kind == NULL || kind->encode == NULL || kind->decode(record, &any, &error) != FXT_OK) {
        fail("a canonical record does not decode, or cannot be written");
        return;
    }
    struct fxt_args left = fxt_convert_args(kind, &any);
    while (fxt_args_next(&left, &args[count < FXT_ARGS_MAX ? count : 0], &error) == FXT_OK)
        count++;
    fxt_writer_init(&writer, assembled, sizeof assembled);
    if (kind->encode(&writer, &any, args, count) != FXT_OK)
        fail("the writer refuses the canonical record at 0x%llx",
             (unsigned long long)record->offset);
    else
        expect_bytes("decode and encode", assembled, (size_t)writer.size, record->bytes,
                     (size_t)8 * record->words);
}

static void canonical_record(const struct fxt_record *record, void *all)
{
    struct fxt_error error;
    if (fxt_check_canonical(record, &error) == FXT_OK)
        encode_again(record);
    else
        *(bool *)all = false;
}

static void canonical_error(const struct fxt_error *error, void *all)
{
    (void)error;
    *(bool *)all = false;
}

static void run(void)
{
    static const size_t steps[] = {1, 7, 8, 13};
    struct visitor disassembler = {disassemble_record, disassemble_error, NULL};
    bool canonical = true;
    struct visitor judge = {canonical_record, canonical_error, &canonical};
    int before = failures;

    is_known = known_lists(vector.id);
    size_t size = assemble(vector.source.bytes, vector.source.size);
    expect_bytes("assembled", assembled, size, vector.trace, vector.trace_size);

    struct fxt_out out = out_to(&printed);
    disassembler.context = &out;
    visit(disassembler, 0);
    fxt_out_flush(&out);
    size = assemble(printed.bytes, printed.size);
    expect_bytes("disassembled and assembled", assembled, size, vector.trace, vector.trace_size);

    dump(&printed, 0);
    expect_text("decoded", &printed, &vector.json);
    check(&found, FXT_EDITION_2020, 0);
    expect_findings("edition 2020", &found, &vector.expected[FXT_EDITION_2020]);
    check(&found, FXT_EDITION_CURRENT, 0);
    expect_findings("edition current", &found, &vector.expected[FXT_EDITION_CURRENT]);
    visit(judge, 0);
    if (canonical != vector.canonical)
        fail("the library says %s canonical", canonical ? "it is" : "it is not");

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        dump(&printed_again, steps[i]);
        expect_text("decoded from pieces", &printed_again, &printed);
        check(&vector.expected[0], FXT_EDITION_CURRENT, steps[i]);
        expect_findings("findings from pieces", &vector.expected[0], &found);
    }
    if (is_known) {
        bool passes = failures == before;
        is_known = false;
        known_vectors++;
        failures = before;
        if (passes)
            fail("passes; known.tsv says that it fails");
    }
    failed_vectors += failures > before;
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "conformance/vectors.pack";
    size_t vectors = 0;
    FILE *pack = fopen(path, "rb");
    if (pack == NULL) {
        printf("no vectors at %s\n", path);
        return 1;
    }
    load_known(argc > 2 ? argv[2] : "conformance/known.tsv");
    for (; load_vector(pack); vectors++)
        run();
    if (!feof(pack) || vectors == 0)
        fail("the pack is damaged after this vector");
    printf("%zu vectors, %d failed, %d are known to fail\n", vectors, failed_vectors,
           known_vectors);
    fclose(pack);
    return failures > 0;
}
