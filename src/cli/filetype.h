/* Recognizes a file by its first bytes. */
#ifndef FXT_CLI_FILETYPE_H
#define FXT_CLI_FILETYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FILETYPE_BYTES 512u /* bytes that are examined */

/* "an ELF file" if the bytes are surely no trace, else NULL. A trace without the magic number
   record can never be ruled out that way. */
const char *filetype_of(const uint8_t *bytes, size_t size);

/* Whether the bytes begin the image of a provider's raw buffer. */
bool filetype_is_buffer(const uint8_t *bytes, size_t size);

#endif
