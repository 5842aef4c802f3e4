/* Recognizes a file by its first bytes. */
#ifndef FXT_CLI_LOOKS_H
#define FXT_CLI_LOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKS_BYTES 512u /* bytes that are examined */

/* "an ELF file" if the bytes are surely no trace, else NULL. A trace without the magic number
   record can never be ruled out that way. */
const char *looks_like(const uint8_t *bytes, size_t size);

/* Whether the bytes begin the image of a provider's raw buffer. */
bool looks_like_buffer(const uint8_t *bytes, size_t size);

#endif
