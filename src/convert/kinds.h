/* What the converters know about each kind of record: one table of fields, from which text, JSON
   Lines, the disassembler and the assembler are all driven. A field that spec/records/records.tbl
   shows is in all four, under one name. What handles all kinds alike, counts or names them, has
   their numbers. */
#ifndef FXT_CONVERT_KINDS_H
#define FXT_CONVERT_KINDS_H

#include <fxt/read.h>
#include <fxt/tables.h>
#include <fxt/write.h>

#include "src/convert/any.h"
#include "src/convert/names.h"

/* How a field lies in its struct, and so how it is printed and parsed. */
enum fxt_convert_shape {
    FXT_CONVERT_U8,
    FXT_CONVERT_U16,
    FXT_CONVERT_U32,
    FXT_CONVERT_U64,
    FXT_CONVERT_ADDRESS, /* 64 bits, for people in hexadecimal */
    FXT_CONVERT_NAMED,   /* 8 bits with names */
    FXT_CONVERT_WHICH,   /* the same, and written without its key: `event instant` */
    FXT_CONVERT_SCOPE,   /* the scope of an instant event, which may be absent */
    FXT_CONVERT_TEXT,    /* fxt_bytes, mostly text */
    FXT_CONVERT_PAYLOAD, /* fxt_bytes, mostly not text */
    FXT_CONVERT_STRING,  /* fxt_string_ref */
    FXT_CONVERT_THREAD,  /* fxt_thread_ref */
    FXT_CONVERT_PROCESS, /* fxt_thread_ref of which only the process counts */
    FXT_CONVERT_FRAMES   /* the frames of a backtrace */
};

#define FXT_CONVERT_ALWAYS 0xffffu

struct fxt_convert_field {
    const char *name;
    const struct fxt_convert_names *names;
    size_t at;     /* in the struct of its kind */
    uint16_t only; /* a bit for each value of the kind's selector with which the field exists */
    uint8_t shape;
};

#define FXT_CONVERT_NOWHERE ((size_t)-1)
#define FXT_CONVERT_THREADS_MAX 2u

struct fxt_convert_kind {
    const char *name;
    const struct fxt_convert_field *fields;
    size_t field_count;
    size_t selector; /* the uint16_t by which its fields differ, or FXT_CONVERT_NOWHERE */
    size_t args;     /* its struct fxt_args, or FXT_CONVERT_NOWHERE */
    size_t tail;
    size_t timestamp;   /* its uint64_t, or FXT_CONVERT_NOWHERE */
    uint16_t args_only; /* as `only` of a field */
    uint16_t timestamp_only;
    enum fxt_status (*decode)(const struct fxt_record *record, union fxt_convert_any *out,
                              struct fxt_error *error);
    /* NULL: the writer has no such record. */
    enum fxt_status (*encode)(struct fxt_writer *writer, const union fxt_convert_any *in,
                              const struct fxt_arg *args, size_t arg_count);
};

enum fxt_kind fxt_kind_of(const struct fxt_record *record);

/* "event", "provider_info" …, "unknown" */
const char *fxt_kind_name(enum fxt_kind kind);

/* Decodes; FXT_OK without any fields for FXT_KIND_UNKNOWN, else FXT_OK or FXT_MALFORMED. */
enum fxt_status fxt_kind_decode(enum fxt_kind kind, const struct fxt_record *record,
                                union fxt_convert_any *out, struct fxt_error *error);

/* False for a record without a timestamp. */
bool fxt_kind_timestamp(enum fxt_kind kind, const union fxt_convert_any *any, uint64_t *ticks);

/* Whether the record does not decode; fills in `error` then. */
bool fxt_kind_malformed(const struct fxt_record *record, struct fxt_error *error);

/* The kind of a record, NULL when it is unknown. */
const struct fxt_convert_kind *fxt_convert_kind_of(const struct fxt_record *record);

/* The kind of that name, or NULL. */
const struct fxt_convert_kind *fxt_convert_kind_by_name(const char *name, size_t length);

/* The kind decodes its record; the printers walk the fields that exist in it. */
bool fxt_convert_has(const struct fxt_convert_kind *kind, const union fxt_convert_any *any,
                     uint16_t only);

/* The value of a field of a number's shape. */
uint64_t fxt_convert_number(const union fxt_convert_any *any,
                            const struct fxt_convert_field *field);

/* The parts of a decoded record. args: with count 0 when the kind has none. */
struct fxt_args fxt_convert_args(const struct fxt_convert_kind *kind,
                                 const union fxt_convert_any *any);
struct fxt_tail fxt_convert_tail(const struct fxt_convert_kind *kind,
                                 const union fxt_convert_any *any);

/* The thread refs of a decoded record, in the order of its fields; how many. */
unsigned fxt_convert_threads(const struct fxt_convert_kind *kind, const union fxt_convert_any *any,
                             struct fxt_thread_ref refs[FXT_CONVERT_THREADS_MAX]);

/* fxt_tables_string and fxt_tables_thread; tables may be NULL, then nothing is registered. */
bool fxt_convert_resolve(const struct fxt_tables *tables, struct fxt_bytes *text,
                         struct fxt_string_ref ref);
bool fxt_convert_resolve_thread(const struct fxt_tables *tables, struct fxt_thread_ref *koids,
                                struct fxt_thread_ref ref);

static inline const void *fxt_convert_field_at(const union fxt_convert_any *any, size_t at)
{
    return (const uint8_t *)any + at;
}

#endif
