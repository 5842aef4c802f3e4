/* What every function of the library returns, and what an error says.

   A status is a class of outcomes, so that a caller can decide by a small switch; the rule in
   struct fxt_error says exactly what was broken. Names are static strings and never NULL. */
#ifndef FXT_STATUS_H
#define FXT_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fxt/rule.h>

#if defined(__GNUC__)
#define FXT_API __attribute__((visibility("default")))
#else
#define FXT_API
#endif

enum fxt_status {
    FXT_OK = 0,
    FXT_END,  /* reader: nothing is left */
    FXT_MORE, /* reader: the record at the cursor goes on in bytes that have not been given yet */
    FXT_ZERO_WORD,  /* reader: an all-zero word was skipped; reading goes on (REC-09) */
    FXT_MALFORMED,  /* the record cannot be decoded; reading goes on after it */
    FXT_ZERO_SIZE,  /* reader: a header of size 0; nothing after it can be read (REC-02) */
    FXT_TRUNCATED,  /* reader: the trace ends inside a record or a word (REC-01, REC-03) */
    FXT_BYTE_ORDER, /* reader: the trace is of the other byte order (REC-10) */
    FXT_WRONG_TYPE, /* the record is not of the type that the function decodes */
    FXT_FULL,    /* writer, tables: the memory that the caller gave is used up; nothing changed */
    FXT_INVALID, /* writer: a field is out of its range, or the record would be too long */
    FXT_STATUS_COUNT
};

/* How much a broken rule matters, and where each rule comes from: see spec/format.md. */
enum fxt_class { FXT_DEFINITION, FXT_SUSPICIOUS, FXT_NONCONFORMING, FXT_MALFORMED_CLASS };
enum fxt_edition { FXT_EDITION_2020, FXT_EDITION_CURRENT };

struct fxt_error {
    uint64_t offset; /* of the word that breaks the rule, in bytes from the start of the trace */
    enum fxt_status status;
    enum fxt_rule rule;
};

/* "ok", "malformed" …; "unknown status" for any other number. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \valid_read(\result);
  @*/
FXT_API const char *fxt_status_name(enum fxt_status status);

/* "EVT-03" …; "" for FXT_RULE_NONE and numbers that are no rule. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures 0 < rule < FXT_RULE_COUNT ==> \valid_read(\result + (0 .. 7));
  @ ensures !(0 < rule < FXT_RULE_COUNT) ==> \valid_read(\result);
  @*/
FXT_API const char *fxt_rule_id(enum fxt_rule rule);

/* The rule in one line, without its id; "" where fxt_rule_id is "". */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \valid_read(\result);
  @*/
FXT_API const char *fxt_rule_title(enum fxt_rule rule);

/* The class of the rule; FXT_DEFINITION where fxt_rule_id is "". */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures !(0 < rule < FXT_RULE_COUNT) ==> \result == FXT_DEFINITION;
  @*/
FXT_API enum fxt_class fxt_rule_class(enum fxt_rule rule);

/* The first edition of the format that has the rule. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures !(0 < rule < FXT_RULE_COUNT) ==> \result == FXT_EDITION_2020;
  @*/
FXT_API enum fxt_edition fxt_rule_edition(enum fxt_rule rule);

/* "malformed", "nonconforming", "suspicious", "definition". */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \valid_read(\result);
  @*/
FXT_API const char *fxt_class_name(enum fxt_class severity);

/* The rule of that id ("EVT-03"), or FXT_RULE_NONE. */
/*@ predicate fxt_text(char *s) =
  @   \exists integer n; 0 <= n && \valid_read(s + (0 .. n)) && s[n] == 0;
  @*/
/*@ requires fxt_text(id);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures 0 <= \result < FXT_RULE_COUNT;
  @*/
FXT_API enum fxt_rule fxt_rule_by_id(const char *id);

#endif
