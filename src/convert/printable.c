/* Escapes text that is not safe to print; see printable.h. No state. */
#include "src/convert/printable.h"

#include <stdbool.h>
#include <string.h>

#include <fxt/record.h>

#define ESCAPE_BYTES 4u /* \xNN */

/* The size of a well-formed character of more than one byte. */
static bool is_invisible(const uint8_t *at, size_t length)
{
    if (length == 2)
        return (at[0] == 0xc2 && at[1] < 0xa0) || (at[0] == 0xd8 && at[1] == 0x9c);
    if (length != 3)
        return false;
    if (at[0] == 0xef)
        return at[1] == 0xbb && at[2] == 0xbf;
    if (at[0] != 0xe2)
        return false;
    return (at[1] == 0x80 && at[2] >= 0x8e && at[2] <= 0x8f) ||
           (at[1] == 0x80 && at[2] >= 0xa8 && at[2] <= 0xae) ||
           (at[1] == 0x81 && at[2] >= 0xa6 && at[2] <= 0xa9);
}

size_t fxt_i_printable_length(const uint8_t *bytes, size_t size)
{
    if (bytes[0] < 0x80)
        return bytes[0] >= 0x20 && bytes[0] != 0x7f ? 1 : 0;
    size_t length = bytes[0] < 0xc2 ? 0 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    if (length == 0 || length > size || !fxt_utf8_valid(bytes, length) ||
        is_invisible(bytes, length))
        return 0;
    return length;
}

static void escape(char out[ESCAPE_BYTES], uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    out[0] = '\\';
    out[1] = 'x';
    out[2] = digits[byte / 16];
    out[3] = digits[byte % 16];
}

size_t fxt_i_printable(char *out, size_t room, const char *text, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t length = 0;

    for (size_t at = 0; at < size;) {
        size_t plain = fxt_i_printable_length(bytes + at, size - at);
        size_t wanted = plain > 0 ? plain : ESCAPE_BYTES;
        if (room - 1 - length < wanted)
            break;
        if (plain > 0)
            memcpy(out + length, bytes + at, plain);
        else
            escape(out + length, bytes[at]);
        length += wanted;
        at += plain > 0 ? plain : 1;
    }
    out[length] = '\0';
    return length;
}
