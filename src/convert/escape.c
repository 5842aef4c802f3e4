/* JSON string escaping; see escape.h. No state; called by the JSON converters.

   Text is copied in blocks of 16 or 8 bytes as long as a block holds nothing that needs care:
   no control character, quote, backslash or byte from 0x80 on. Only then single bytes are looked
   at. Nothing outside bytes[0 … size - 1] is read. */
#include "src/convert/escape.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Not 0 if one of the 8 bytes needs care. A borrow may flag a block that needs none: harmless. */
static inline uint64_t care8(uint64_t word)
{
    uint64_t quote = word ^ EACH('"');
    uint64_t backslash = word ^ EACH('\\');
    return (((word - EACH(0x20)) | (quote - EACH(1)) | (backslash - EACH(1))) | word) & EACH(0x80);
}

static inline uint64_t load8(const uint8_t *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static inline uint32_t load4(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* Copies blocks that need no care and returns how many bytes that were. */
static inline size_t copy_blocks(char *to, const uint8_t *bytes, size_t size)
{
    size_t done = 0;
#ifdef __SSE2__
    const __m128i control = _mm_set1_epi8(0x20);
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    while (size - done >= 16) {
        __m128i block = _mm_loadu_si128((const __m128i *)(const void *)(bytes + done));
        _mm_storeu_si128((__m128i *)(void *)(to + done), block);
        __m128i care = _mm_or_si128(_mm_cmplt_epi8(block, control), /* signed: 0x80 too */
                                    _mm_or_si128(_mm_cmpeq_epi8(block, quote),
                                                 _mm_cmpeq_epi8(block, backslash)));
        unsigned mask = (unsigned)_mm_movemask_epi8(care);
        if (mask != 0)
            return done + (unsigned)__builtin_ctz(mask);
        done += 16;
    }
#endif
    while (size - done >= 8) {
        uint64_t block = load8(bytes + done);
        if (care8(block) != 0)
            return done;
        memcpy(to + done, &block, sizeof block);
        done += 8;
    }
    return done;
}

static char *put_ascii(char *to, uint8_t byte)
{
    static const char names[32] = {['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f',
                                   ['\r'] = 'r'};
    if (byte >= 0x20) {
        if (byte == '"' || byte == '\\')
            *to++ = '\\';
        *to++ = (char)byte;
        return to;
    }
    *to++ = '\\';
    if (names[byte] != 0) {
        *to++ = names[byte];
        return to;
    }
    memcpy(to, "u00", 3);
    to[3] = (char)('0' + byte / 16);
    to[4] = "0123456789abcdef"[byte % 16];
    return to + 5;
}

/* Table 3-7 of the Unicode standard: the range of the second byte depends on the first. */
size_t fxt_escape_character(bool *valid, const uint8_t *bytes, size_t size)
{
    uint8_t lead = bytes[0];
    uint8_t low = 0x80;
    uint8_t high = 0xbf;
    size_t wanted = 2;

    *valid = lead < 0x80;
    if (lead < 0xc2 || lead > 0xf4)
        return 1;
    if (lead >= 0xe0)
        wanted = lead >= 0xf0 ? 4 : 3;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    for (size_t i = 1; i < wanted; i++) {
        if (i >= size || bytes[i] < low || bytes[i] > high)
            return i;
        low = 0x80;
        high = 0xbf;
    }
    *valid = true;
    return wanted;
}

/* One character; *to moves behind its text. Returns how many bytes it took. */
static size_t put_character(char **to, const uint8_t *bytes, size_t size)
{
    if (bytes[0] < 0x80) {
        *to = put_ascii(*to, bytes[0]);
        return 1;
    }
    bool valid;
    size_t length = fxt_escape_character(&valid, bytes, size);
    if (valid) {
        for (size_t i = 0; i < length; i++)
            (*to)[i] = (char)bytes[i];
        *to += length;
    } else {
        memcpy(*to, "\xef\xbf\xbd", 3);
        *to += 3;
    }
    return length;
}

/* Fewer than 8 bytes; usually none needs care, and two overlapping words are the whole text. */
static inline bool copy_short(char *to, const uint8_t *bytes, size_t size)
{
    if (size >= 4) {
        uint32_t first = load4(bytes);
        uint32_t last = load4(bytes + size - 4);
        memcpy(to, &first, 4);
        memcpy(to + size - 4, &last, 4);
        return care8((uint64_t)first << 32 | last) == 0;
    }
    uint64_t word = EACH(0x20);
    for (size_t i = 0; i < size; i++) {
        to[i] = (char)bytes[i];
        word = word << 8 | bytes[i];
    }
    return care8(word) == 0;
}

char *fxt_escape(char *to, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        size_t plain = copy_blocks(to, bytes, size);
        to += plain;
        bytes += plain;
        size -= plain;
        if (size < 8 && copy_short(to, bytes, size))
            return to + size;
        do {
            size_t length = put_character(&to, bytes, size);
            bytes += length;
            size -= length;
        } while (size > 0 && (bytes[0] >= 0x80 || size < 8));
    }
    return to;
}

/* The size of a piece that does not end inside a character. */
static size_t piece_size(const uint8_t *bytes, size_t size)
{
    const size_t most = (FXT_OUT_CAPACITY_MIN - FXT_ESCAPE_SLACK) / FXT_ESCAPE_GROWTH;
    if (size <= most)
        return size;
    for (size_t i = most; i > most - 4; i--) {
        if ((bytes[i] & 0xc0) != 0x80)
            return i;
    }
    return most; /* four continuation bytes in a row: no character spans them */
}

void fxt_escape_out(struct fxt_out *out, const uint8_t *bytes, size_t size)
{
    while (size > 0) {
        size_t piece = piece_size(bytes, size);
        char *to = fxt_out_room(out, FXT_ESCAPE_GROWTH * piece + FXT_ESCAPE_SLACK);
        out->size = (size_t)(fxt_escape(to, bytes, piece) - out->bytes);
        bytes += piece;
        size -= piece;
    }
}
