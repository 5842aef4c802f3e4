/* The rules about the order of records once more: EVT-04, EVT-06 to EVT-08, EVT-11 to EVT-13, MET-03,
   SCH-06 to SCH-08, and of events STR-02 and THR-02. Each is written from the text of the format, as a
   question about all records of the trace, and without the checker's state. */
#ifndef FXT_FUZZ_ORDER_H
#define FXT_FUZZ_ORDER_H

#include <stddef.h>

#include <fxt/check.h>

/* The findings are all of a checker that had enough memory. Those of these rules are as they should be:
   rule, offset and number. EVT-11, EVT-12 and EVT-13 may be missing where <fxt/check.h> leaves the
   checker little memory. A trace of many records is not judged. */
void fuzz_order_check(const uint8_t *bytes, size_t size, const struct fxt_finding *findings,
                      size_t count);

/* Whether the trace breaks one of these rules, or is not judged. */
bool fuzz_order_breaks(const uint8_t *bytes, size_t size, enum fxt_rule rule);

#endif
