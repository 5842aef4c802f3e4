/* What the converters know about each type of argument: its name, the word of its header and the
   shape of its value. A type with a shape that exists is a row here and nothing more: text, JSON
   Lines, the disassembler, the assembler and Chrome JSON ask for the shape. */
#ifndef FXT_CONVERT_ARGS_H
#define FXT_CONVERT_ARGS_H

#include <fxt/tables.h>

/* Its type's number, its name, the word of spec/layout.tbl, its shape. In the order of the numbers. */
#define FXT_CONVERT_ARG_TYPES(ROW)                                                                 \
    ROW(FXT_ARG_NULL, "null", "arg_plain.header", NOTHING)                                         \
    ROW(FXT_ARG_INT32, "int32", "arg.header", INT32)                                               \
    ROW(FXT_ARG_UINT32, "uint32", "arg.header", UINT32)                                            \
    ROW(FXT_ARG_INT64, "int64", "arg_plain.header", INT64)                                         \
    ROW(FXT_ARG_UINT64, "uint64", "arg_plain.header", UINT64)                                      \
    ROW(FXT_ARG_DOUBLE, "double", "arg_plain.header", DOUBLE)                                      \
    ROW(FXT_ARG_STRING, "string", "arg_string.header", STRING)                                     \
    ROW(FXT_ARG_POINTER, "pointer", "arg_plain.header", ADDRESS)                                   \
    ROW(FXT_ARG_KOID, "koid", "arg_plain.header", UINT64)                                          \
    ROW(FXT_ARG_BOOL, "bool", "arg_bool.header", BOOL)                                             \
    ROW(FXT_ARG_BLOB, "blob", "arg_blob.header", BLOB)

enum fxt_convert_arg_shape {
    FXT_CONVERT_ARG_UNKNOWN, /* no row: bits 32 .. 63 of the header */
    FXT_CONVERT_ARG_NOTHING,
    FXT_CONVERT_ARG_INT32,
    FXT_CONVERT_ARG_UINT32,
    FXT_CONVERT_ARG_INT64,
    FXT_CONVERT_ARG_UINT64,
    FXT_CONVERT_ARG_DOUBLE,
    FXT_CONVERT_ARG_STRING,
    FXT_CONVERT_ARG_ADDRESS,
    FXT_CONVERT_ARG_BOOL,
    FXT_CONVERT_ARG_BLOB
};

#define FXT_CONVERT_ONE(number, name, word, shape) +1
enum { FXT_CONVERT_ARG_COUNT = 0 FXT_CONVERT_ARG_TYPES(FXT_CONVERT_ONE) };

/* Types are of 4 bits. */
extern const uint8_t fxt_convert_arg_shapes[16];

static inline enum fxt_convert_arg_shape fxt_convert_arg_shape_of(unsigned type)
{
    return (enum fxt_convert_arg_shape)fxt_convert_arg_shapes[type % 16];
}

static inline enum fxt_convert_arg_shape fxt_convert_arg_shape(const struct fxt_arg *arg)
{
    return fxt_convert_arg_shape_of(arg->type);
}

#define FXT_CONVERT_ANY_TYPE UINT32_MAX

/* The last argument of that name and type. */
bool fxt_convert_find_arg(struct fxt_arg *found, const struct fxt_tables *tables,
                          struct fxt_args args, uint32_t type, const char *name);

#endif
