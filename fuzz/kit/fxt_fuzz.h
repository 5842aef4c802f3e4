/* fxt_fuzz: inputs for readers of the Fuchsia trace format (FXT).

   The kit is two files, fxt_fuzz.h and fxt_fuzz.c. It is C11 and needs nothing but the C library.
   It shares no code with any reader or writer of the format. It has three parts:

     generator     traces in which nothing is wrong, or exactly one thing
     mutator       takes a trace apart into records and arguments, and damages or rearranges those
     differential  runs two readers on one input and compares what they deliver

   Beside it are four files that connect it to others, each of them linked with fxt_fuzz.c:

     fxt_libfuzzer.c   libFuzzer calls the mutator (LLVMFuzzerCustomMutator)
     fxt_afl.c         AFL++ calls the mutator (a shared library, AFL_CUSTOM_MUTATOR_LIBRARY)
     fxt_gen.c         the generator as a program
     fxt_expected.c    what libfxt delivers, to compare with; needs libfxt

   Everything is deterministic: equal seeds give equal bytes, on every machine. No function but fxt_fuzz_expected keeps
   state of its own, so threads may call them at the same time with different objects. Sizes and
   offsets are in bytes. */
#ifndef FXT_FUZZ_H
#define FXT_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Generator ----

   Usage:
     static uint8_t record[FXT_FUZZ_RECORD_MAX];
     struct fxt_fuzz_options options = {.seed = 1, .records = 100};
     fxt_fuzz_generator *g = fxt_fuzz_generator_create(&options);
     while ((size = fxt_fuzz_generator_next(g, record)) > 0)
         use(record, size);                     // the pieces, end to end, are the trace
     fxt_fuzz_generator_free(g);

   A valid trace begins with the magic number record, which may begin another trace later. It
   registers strings and threads before it refers to them, sometimes anew. It switches between
   providers with clocks of different rates, up to times beyond 2^64 ns. Durations, async operations
   and flows match. `fxt check` has no finding about it. */

/* Room for what fxt_fuzz_generator_next writes at once. */
#define FXT_FUZZ_RECORD_MAX 65536u

struct fxt_fuzz_options {
    uint64_t seed;
    uint64_t records; /* in the trace, without a broken one; less if few kinds can be made */
    uint64_t kinds;   /* from fxt_fuzz_kinds; 0: all */
    int edition;      /* 2020: nothing that came later; any other: current */
    /* NULL: valid. Else the one rule to break, such as "ARG-02"; or "any"; or a class, for any rule of
       it. What breaks it may be of a kind that is not in `kinds`. */
    const char *invalid;
};

typedef struct fxt_fuzz_generator fxt_fuzz_generator;

/* NULL: no memory, or `invalid` is no class and no rule that fxt_fuzz_rule lists for this edition. */
fxt_fuzz_generator *fxt_fuzz_generator_create(const struct fxt_fuzz_options *options);
void fxt_fuzz_generator_free(fxt_fuzz_generator *generator);

/* Writes the next piece of the trace, of at most FXT_FUZZ_RECORD_MAX bytes. Returns its size, or 0
   when the trace is complete. */
size_t fxt_fuzz_generator_next(fxt_fuzz_generator *generator, uint8_t *out);

/* The rule that was broken, and the offset in the trace that a checker names for it. NULL until it
   was broken. */
const char *fxt_fuzz_generator_broken(const fxt_fuzz_generator *generator, uint64_t *offset);

/* A set of kinds of records, events and arguments. `list` has names separated by commas, such as
   "tables,events,arg.int32", "all,-log" or, which is the same, "-log". Returns 0 when a name is
   unknown; then *bad points at it. Returns 0 when nothing is left in the set; then *bad is NULL. */
uint64_t fxt_fuzz_kinds(const char *list, const char **bad);

/* Those of `kinds` that a trace of the edition has. Some need others: a counter needs a numeric
   argument, arguments need a record that has them, an end needs its begin and a begin its end, a flow
   needs durations, and a section needs a provider. The magic number is always there. */
uint64_t fxt_fuzz_kinds_made(uint64_t kinds, int edition);

/* The name of a kind, by its bit of the set; NULL after the last one. */
const char *fxt_fuzz_kind(unsigned bit);

/* The rules that the generator can break in an edition, one by one; NULL after the last. */
const char *fxt_fuzz_rule(unsigned number, int edition);

/* The class of such a rule: "malformed", which a reader must refuse to decode; "nonconforming" or
   "suspicious", which it must deliver. */
const char *fxt_fuzz_rule_class(const char *rule);

/* ---- Mutator ----

   An input of 0 bytes may be NULL. */

/* Changes the trace in `bytes`, which has room for `max`. Returns its new size, which may be 0: a
   mutation may take out every record. Any bytes are accepted; those that cannot be framed as records
   are kept as they are. An input with `size` above `max` is cut to `max` first. */
size_t fxt_fuzz_mutate(uint8_t *bytes, size_t size, size_t max, uint64_t seed);

/* The begin of one trace and the end of the other, cut between records; if this is one of the two, or
   nothing, it is mutated. Returns the size. */
size_t fxt_fuzz_splice(uint8_t *out, size_t max, const uint8_t *a, size_t a_size, const uint8_t *b,
                       size_t b_size, uint64_t seed);

/* Takes record number `number` out of the trace. Returns the new size: `size` itself when there is
   no such record. For trimming an input. */
size_t fxt_fuzz_remove(uint8_t *bytes, size_t size, size_t number);

/* ---- Differential ----

   A reader is a function that prints lines about what it delivers:

     void reader(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size)
     {
         ...
         fxt_fuzz_line(out, "event instant");
         fxt_fuzz_line(out, "ts %llu", (unsigned long long)timestamp);
         fxt_fuzz_text(out, "name", name, name_size);
     }

   What both readers print must be equal. So print only what both of them claim to understand. */
typedef struct fxt_fuzz_lines fxt_fuzz_lines;
typedef void fxt_fuzz_reader(fxt_fuzz_lines *out, const uint8_t *bytes, size_t size);

/* As printf; the line ends by itself. */
void fxt_fuzz_line(fxt_fuzz_lines *out, const char *format, ...)
#ifdef __GNUC__
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* Print `KEY "TEXT"` and `KEY HEX`. A text that is NULL, not only empty, gives `KEY null`. What is
   not UTF-8 in a text is U+FFFD, so that readers may replace it or leave it. */
void fxt_fuzz_text(fxt_fuzz_lines *out, const char *key, const void *text, size_t size);
void fxt_fuzz_bytes(fxt_fuzz_lines *out, const char *key, const void *bytes, size_t size);

/* Runs both readers. On a difference prints the first two lines that differ to stderr, and the last
   line before them that begins with "event "; then aborts, which every fuzzer reports as a crash.
   If $FXT_FUZZ_TELL is set, prints how many lines were equal, as fxt-fuzz wants to know. */
void fxt_fuzz_diff(const uint8_t *bytes, size_t size, fxt_fuzz_reader *expected,
                   fxt_fuzz_reader *actual);

/* The reader of libfxt, to compare with; it is in fxt_expected.c. It keeps its memory, so that only
   one thread may call it. It prints what fxt_fuzz_parts names, which is yours: the kinds of events
   that your reader delivers, the keys of their lines, and the types of arguments, with blanks between
   them. For example:

     const char fxt_fuzz_parts[] = "instant counter log provider process thread ns name arg.int32";

   These are the words of conformance/schema/events.md, and one key is one line, in the order of its
   tables:

     event instant          begins each event, without being named
     provider 1             numbers are decimal
     process 100            or: process null, if the thread ref is not registered
     name "n"               as fxt_fuzz_text prints it, null if the string ref is not registered
     arg "a"                the name of an argument, if `arg` is named
     arg.int32 -5           and its value. A text or a blob (fxt_fuzz_bytes) is as above, true is 1, a
                            double is its 64 bits as a number, or NaN. There is no value of arg.null

   Scopes, states and types of objects and blobs are their numbers; a scope that is absent or
   undefined is 0. Each frame of a backtrace is a line. Arguments are in the order of the record,
   also those of one name. If `arg` is named, one whose name is not registered is left out. `ns` is
   at most 18446744073709551615. */
fxt_fuzz_reader fxt_fuzz_expected;
extern const char fxt_fuzz_parts[];

#ifdef __cplusplus
}
#endif

#endif
