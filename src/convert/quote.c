/* Quoting for the text form and the disassembler; what is written here, the lexer of the assembler
   reads back byte for byte. No state. */
#include "src/convert/quote.h"

#include "src/convert/printable.h"

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
            end += fxt_i_printable_length(bytes + at, (size_t)(size - at));
        if (end > at)
            fxt_out_bytes(out, (const char *)bytes + at, (size_t)(end - at));
        else
            escape(out, bytes[end++]);
        at = end;
    }
    fxt_out_char(out, '"');
}
