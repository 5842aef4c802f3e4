/* What a file is, by its first bytes. */
#ifndef FXT_TOOLS_COMMON_LOOKS_H
#define FXT_TOOLS_COMMON_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKS_BYTES 512u /* that tell */

/* "an ELF file" when the bytes are surely no trace, else NULL. Of a trace that lacks the magic number
   record nothing is sure. */
const char *looks_like(const uint8_t *bytes, size_t size);

/* Whether the image of a provider's raw buffer begins with them. */
bool looks_like_buffer(const uint8_t *bytes, size_t size);

#endif
