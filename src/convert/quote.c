/* Quoting for the text form and the disassembler; what is written here, the lexer of the assembler
   reads back byte for byte. No state. */
#include "src/convert/quote.h"

#include <fxt/check.h>

static const char digits[] = "0123456789abcdef";

void fxt_convert_hex_bytes(struct fxt_out *out, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t i = 0; i < size; i++) {
        char *room = fxt_out_room(out, 2);
        room[0] = digits[bytes[i] / 16];
        room[1] = digits[bytes[i] % 16];
        out->size += 2;
    }
}

void fxt_convert_hex_padded(struct fxt_out *out, uint64_t number, unsigned count)
{
    char *room = fxt_out_room(out, 18);
    room[0] = '0';
    room[1] = 'x';
    for (unsigned i = count; i > 0; i--) {
        room[1 + i] = digits[number % 16];
        number /= 16;
    }
    out->size += 2 + count;
}

static bool is_plain(uint8_t byte)
{
    return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\';
}

/* Characters that a terminal or an editor obeys instead of showing: C1 controls, line and paragraph
   separators, bidirectional overrides and isolates, the byte order mark. */
static bool is_invisible(const uint8_t *at, uint64_t length)
{
    if (length == 2)
        return at[0] == 0xc2 && at[1] < 0xa0;
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

/* The length of the printable character of more than one byte at `at`, or 0. */
static uint64_t wide_character(const uint8_t *at, uint64_t size)
{
    uint64_t length = at[0] < 0xc2 ? 0 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    if (length == 0 || length > size || !fxt_utf8_valid(at, length) || is_invisible(at, length))
        return 0;
    return length;
}

static void escape(struct fxt_out *out, uint8_t byte)
{
    char *room = fxt_out_room(out, 4);
    room[0] = '\\';
    out->size += 2;
    switch (byte) {
    case '"':
    case '\\':
        room[1] = (char)byte;
        return;
    case '\n':
        room[1] = 'n';
        return;
    case '\t':
        room[1] = 't';
        return;
    case '\r':
        room[1] = 'r';
        return;
    default:
        room[1] = 'x';
        room[2] = digits[byte / 16];
        room[3] = digits[byte % 16];
        out->size += 2;
    }
}

void fxt_convert_quote(struct fxt_out *out, const uint8_t *bytes, uint64_t size)
{
    uint64_t at = 0;
    fxt_out_char(out, '"');
    while (at < size) {
        uint64_t end = at;
        while (end < size && is_plain(bytes[end]))
            end++;
        if (end == at && bytes[at] >= 0x80)
            end += wide_character(bytes + at, size - at);
        if (end > at)
            fxt_out_bytes(out, (const char *)bytes + at, (size_t)(end - at));
        else
            escape(out, bytes[end++]);
        at = end;
    }
    fxt_out_char(out, '"');
}
