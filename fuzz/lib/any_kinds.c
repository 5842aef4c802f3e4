/* Which kind a record is, by the tables of the format, and the functions of the library for each. */
#include <fxt/explain.h>

#include "fuzz/lib/any.h"
#include "src/convert/args.h"
#include "src/convert/kinds.h"

/* The lists of any.h are whole; the library's has the magic number and unknown records, too. */
_Static_assert(FUZZ_KIND_COUNT + 2 == FXT_KIND_COUNT, "FUZZ_KINDS lacks a kind of record");
_Static_assert(FUZZ_ARG_COUNT == 0 + FXT_CONVERT_ARG_COUNT, "FUZZ_ARGS lacks a type of argument");

enum fuzz_kind_id fuzz_kind_of(const struct fxt_record *record)
{
#define PLACE(id, name, how, type, within) [type][within] = FUZZ_##id + 1,
    static const uint8_t kinds[16][16] = {FUZZ_KINDS(PLACE)};
    static const uint8_t within_at[16] = {[0] = 16, [8] = 60, [10] = 16, [15] = 36};
    uint64_t header = record->header, type = header & 15;
    uint8_t kind = kinds[type][within_at[type] == 0 ? 0 : header >> within_at[type] & 15];

    if (kind == 0 || (kind == FUZZ_LARGE_BLOB + 1 && (header >> 40 & 15) > 1))
        return FUZZ_KIND_COUNT;
    return (enum fuzz_kind_id)(kind - 1);
}

enum fxt_status fuzz_decode(enum fuzz_kind_id kind, union fuzz_any *any,
                            const struct fxt_record *record, struct fxt_error *error)
{
    switch (kind) {
#define DECODE(id, name, ...)                                                                      \
    case FUZZ_##id:                                                                                \
        return fxt_read_##name(record, &any->name, error);
        FUZZ_KINDS(DECODE)
    case FUZZ_KIND_COUNT:
    default:
        return FXT_WRONG_TYPE;
    }
}

static enum fxt_status encode(struct fxt_writer *writer, const struct fuzz_record *in)
{
    const struct fxt_trace_info *info = &in->any.trace_info;

    switch (in->kind) {
#define WRITE_PLAIN(name) return fxt_write_##name(writer, &in->any.name)
#define WRITE_SURE(name) WRITE_PLAIN(name)
#define WRITE_ARGS(name) return fxt_write_##name(writer, &in->any.name, in->args, in->arg_count)
#define WRITE_MAGIC(name)                                                                          \
    if (info->trace_info_type == FXT_TRACE_INFO_MAGIC && info->data == 0x16547846)                 \
        return fxt_write_magic(writer);                                                            \
    return FXT_WRONG_TYPE
#define ENCODE(id, name, how, ...)                                                                 \
    case FUZZ_##id:                                                                                \
        WRITE_##how(name);
        FUZZ_KINDS(ENCODE)
    case FUZZ_KIND_COUNT:
    default:
        return FXT_WRONG_TYPE;
    }
}

/* NULL for the kinds of which the writer refuses none. */
static const char *explain(const struct fuzz_record *in)
{
    switch (in->kind) {
#define EXPLAIN_PLAIN(name) fxt_explain_##name(&in->any.name)
#define EXPLAIN_ARGS(name) fxt_explain_##name(&in->any.name, in->args, in->arg_count)
#define EXPLAIN_SURE(name) NULL
#define EXPLAIN_MAGIC(name) NULL
#define EXPLAIN(id, name, how, ...)                                                                \
    case FUZZ_##id:                                                                                \
        return EXPLAIN_##how(name);
        FUZZ_KINDS(EXPLAIN)
    case FUZZ_KIND_COUNT:
    default:
        return NULL;
    }
}

enum fxt_status fuzz_encode(struct fxt_writer *writer, const struct fuzz_record *in)
{
    enum fxt_status status = encode(writer, in);

    FUZZ_CHECK((explain(in) != NULL) == (status == FXT_INVALID));
    return status;
}
