/* How a finding is shown: one line like a compiler's, or one JSON object. */
#ifndef FXT_TOOLS_COMMON_FINDING_H
#define FXT_TOOLS_COMMON_FINDING_H

#include <fxt/check.h>

#include "src/convert/out.h"

struct shown_finding {
    const char *file;
    const char *record; /* the kind of the record; NULL: there is none */
    uint64_t offset;
    uint64_t number;
    enum fxt_rule rule;
    enum fxt_rule reason; /* of a record that is not canonical; else FXT_RULE_NONE */
};

/* FILE:0x40: malformed: EVT-03: an event record holds … (event) */
void finding_text(struct fxt_out *out, const struct shown_finding *finding);

void finding_json(struct fxt_out *out, const struct shown_finding *finding);

/* The text on stderr, for what the reader itself reports. */
void finding_message(const char *file, const char *record, const struct fxt_error *error);

/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. Characters that must not be
   printed to a terminal are escaped, too. */
void json_string(struct fxt_out *out, const char *text, size_t size);

/* The text of a stranger, as messages show it: see src/terminal/printable.h. */
void shown_string(struct fxt_out *out, const char *text);

#endif
