/* The trace that fxt import writes. Strings and threads get table entries; whatever the input holds, the
   tables have one size. */
#ifndef FXT_TOOLS_FXT_IMPORT_INTAKE_H
#define FXT_TOOLS_FXT_IMPORT_INTAKE_H

#include <fxt/intern.h>

#include "src/cli/message.h"
#include "src/cli/size.h"
#include "src/convert/out.h"
#include "src/tools/fxt/import/json.h"

/* What the format has no place for, and what told of it. */
#define INTAKE_LEFT                                                                                \
    X(MALFORMED, "malformed events")                                                               \
    X(LARGE, "events over --max-record")                                                           \
    X(PHASE, "events of a phase without a place")                                                  \
    X(TIME, "events without a time from 0 to 2^64 ns")                                             \
    X(METADATA, "metadata of another kind")                                                        \
    X(MEMBER, "members of events")                                                                 \
    X(ARGUMENT, "arguments after the 15th")                                                        \
    X(DOCUMENT, "members of the document")                                                         \
    X(LINE, "lines of another form")                                                               \
    X(CUT, "texts cut to 32000 bytes")                                                             \
    X(MENDED, "texts with ill-formed characters, now U+FFFD")

enum intake_left {
#define X(name, text) INTAKE_##name,
    INTAKE_LEFT
#undef X
        INTAKE_LEFT_COUNT
};

#define INTAKE_STRING_SLOTS TOOL_SIZE(65536u)
#define INTAKE_STRING_BYTES (4u << 20)
#define INTAKE_BYTES (8u << 20)
#define INTAKE_NAMES 4096u

/* Names that were written: by object type and koid, the latest one of a place. */
struct intake_name {
    uint64_t koid;
    uint64_t digest;
};

struct intake {
    struct fxt_out *out;
    struct fxt_writer writer;
    struct fxt_interner interner;
    uint64_t left[INTAKE_LEFT_COUNT];
    char first[INTAKE_LEFT_COUNT][32]; /* the first of a kind; "": unknown */
    uint64_t nested;                   /* arguments that are the JSON text of a nested value */
    uint64_t events;
    struct intake_name names[INTAKE_NAMES];

    /* What follows need not be cleared. */
    struct fxt_intern_slot slots[INTAKE_STRING_SLOTS];
    uint8_t strings[INTAKE_STRING_BYTES];
    uint8_t bytes[INTAKE_BYTES];
};

struct intake_text {
    const char *bytes;
    size_t size;
};

/* An argument. Its name and text are interned when the record is written. */
struct intake_arg {
    struct intake_text name;
    struct intake_text text; /* of a string */
    struct fxt_arg value;    /* type and value */
};

/* All that a record can have; `kind` decides which of it. */
struct intake_record {
    enum intake_kind {
        INTAKE_EVENT,
        INTAKE_SWITCH,
        INTAKE_WAKEUP,
        INTAKE_POINTER, /* a userspace object */
        INTAKE_KERNEL,  /* a kernel object */
    } kind;
    uint16_t type; /* of the event or object; state of the outgoing thread */
    uint16_t scope;
    uint16_t cpu;
    uint64_t ns;
    uint64_t value; /* as of struct fxt_event; the incoming thread; the pointer */
    uint64_t process;
    uint64_t thread; /* the outgoing or waking one; the koid of the object */
    struct intake_text category;
    struct intake_text name;
    uint16_t arg_count;
    struct intake_arg args[FXT_ARGS_MAX];
};

/* Begins anew, and writes the head. title: names the provider. */
void intake_begin(struct intake *intake, struct fxt_out *out, struct fxt_bytes title);

void intake_put(struct intake *intake, const struct intake_record *record);

/* The name of a process, or of a thread of one. A name that a koid has already is not written again
   unless others came between. */
void intake_process(struct intake *intake, uint64_t process, struct intake_text name);
void intake_thread(struct intake *intake, uint64_t process, uint64_t thread,
                   struct intake_text name);

/* The next argument to fill; NULL, and counted, after the 15th. */
struct intake_arg *intake_arg(struct intake *intake, struct intake_record *record);

void intake_leave(struct intake *intake, enum intake_left what);

/* The same, and `first` names the first one. */
void intake_leave_named(struct intake *intake, enum intake_left what, struct intake_text first);

/* Writes the rest, and a line that says what is left out. EXIT_FINDINGS if anything is. */
enum exit_code intake_end(struct intake *intake, const char *file);

/* A number for a text: the same for the same text. */
uint64_t intake_digest(const char *bytes, size_t size);

static inline struct intake_text intake_text(const char *text)
{
    struct intake_text made = {text, strlen(text)};
    return made;
}

#endif
