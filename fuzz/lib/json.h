/* Whether bytes are one JSON value as RFC 8259 has it, in strict UTF-8, and nothing else but white
   space. */
#ifndef FXT_FUZZ_JSON_H
#define FXT_FUZZ_JSON_H

#include <stdbool.h>
#include <stddef.h>

#define FUZZ_JSON_DEPTH 64

bool fuzz_json_valid(const char *text, size_t size);

#endif
