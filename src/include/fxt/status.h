/* The statuses that functions return, and errors.

   A status is a class of outcomes, so a small switch is enough for most callers. The rule in struct
   fxt_error says exactly what was wrong. All functions here are pure and thread-safe. They accept
   any number as a status, rule or class. The names that they return are static strings and never
   NULL. */
#ifndef FXT_STATUS_H
#define FXT_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/rule.h>

#ifdef __cplusplus
#define FXT_I_LINKAGE extern "C"
#define FXT_I_CAST(type, value) static_cast<type>(value)
#else
#define FXT_I_LINKAGE
#define FXT_I_CAST(type, value) ((type)(value))
#endif
/* Marks what a shared library exports. A library that has this code inside, and keeps it to itself,
   defines FXT_HIDDEN. */
#if !defined(__GNUC__)
#define FXT_API FXT_I_LINKAGE
#elif defined(FXT_HIDDEN)
#define FXT_API FXT_I_LINKAGE __attribute__((visibility("hidden")))
#else
#define FXT_API FXT_I_LINKAGE __attribute__((visibility("default")))
#endif

enum fxt_status {
    FXT_OK = 0,
    FXT_END,        /* reader: nothing is left */
    FXT_MORE,       /* reader: the record at the cursor continues in the next chunk */
    FXT_ZERO_WORD,  /* reader: an all-zero word was skipped; reading goes on (REC-09) */
    FXT_MALFORMED,  /* the record cannot be decoded; reading goes on after it */
    FXT_ZERO_SIZE,  /* reader: a header of size 0; nothing after it can be read (REC-02) */
    FXT_TRUNCATED,  /* reader: the trace ends inside a record or a word (REC-01, REC-03) */
    FXT_BYTE_ORDER, /* reader: the trace is of the other byte order (REC-10) */
    FXT_WRONG_TYPE, /* the function decodes another type of record */
    FXT_FULL,       /* the caller's memory is full. A writer has not changed; of tables see tables.h */
    FXT_INVALID,    /* writer: a field is out of its range, or the record would be too long */
    FXT_STATUS_COUNT
};

/* The severity of a broken rule, and the editions of the format: see spec/format.md. */
enum fxt_class { FXT_DEFINITION, FXT_SUSPICIOUS, FXT_NONCONFORMING, FXT_MALFORMED_CLASS };
enum fxt_edition { FXT_EDITION_2020, FXT_EDITION_CURRENT };

struct fxt_error {
    uint64_t offset; /* of the word that breaks the rule, in bytes from the start of the trace */
    enum fxt_status status;
    enum fxt_rule rule;
};

/* Returns "ok", "malformed" and so on; "unknown status" for any other number. */
FXT_API const char *fxt_status_name(enum fxt_status status);

/* Returns the id of the rule, such as "EVT-03"; "" for FXT_RULE_NONE and unknown numbers. */
FXT_API const char *fxt_rule_id(enum fxt_rule rule);

/* Returns the rule in one line, without its id; "" if fxt_rule_id is "". */
FXT_API const char *fxt_rule_title(enum fxt_rule rule);

/* Returns the class of the rule; FXT_DEFINITION if fxt_rule_id is "". */
FXT_API enum fxt_class fxt_rule_class(enum fxt_rule rule);

/* Returns the first edition of the format that has the rule. */
FXT_API enum fxt_edition fxt_rule_edition(enum fxt_rule rule);

/* Returns "malformed", "nonconforming", "suspicious" or "definition"; "unknown class" for any other
   number. */
FXT_API const char *fxt_class_name(enum fxt_class severity);

/* Returns the rule with that id, such as "EVT-03", or FXT_RULE_NONE. `id` ends with a zero byte and
   is not NULL. */
FXT_API enum fxt_rule fxt_rule_by_id(const char *id);

#ifdef __FRAMAC__
#include "spec/acsl/contracts/status.h"
#endif

#endif
