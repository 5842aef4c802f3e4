/* The output of a finding: one line like a compiler's, or one JSON object. */
#ifndef FXT_CLI_FINDING_H
#define FXT_CLI_FINDING_H

#include <fxt/check.h>

#include "src/convert/out.h"

struct shown_finding {
    const char *file;
    const char *record; /* kind of the record; NULL: none */
    uint64_t offset;
    uint64_t number;
    enum fxt_rule rule;
    enum fxt_rule reason; /* why a record is not canonical; else FXT_RULE_NONE */
};

/* FILE:0x40: malformed: EVT-03: an event record holds … (event) */
void finding_text(struct fxt_out *out, const struct shown_finding *finding);

void finding_json(struct fxt_out *out, const struct shown_finding *finding);

/* Prints the text to stderr, for errors that the reader itself reports. */
void finding_message(const char *file, const char *record, const struct fxt_error *error);

/* Prints a JSON string with quotes. Bytes that are not UTF-8 become U+FFFD. Characters that must
   not be printed to a terminal are escaped. */
void json_string(struct fxt_out *out, const char *text, size_t size);

/* Escapes text from outside for messages: see src/convert/printable.h. */
void shown_string(struct fxt_out *out, const char *text);

#endif
