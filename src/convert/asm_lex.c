/* Tokens of the assembler language. The cursor stays inside start..end; strings are unescaped into
   the scratch memory, of which each takes no more than it has characters. */
#include "src/convert/asm.h"
#include "src/convert/decimal.h"

bool fxt_asm_fail(struct fxt_asm_cursor *cursor, const char *at, const char *message)
{
    if (cursor->message == NULL) {
        cursor->message = message;
        cursor->error_at = at;
        cursor->status = FXT_INVALID;
    }
    return false;
}

bool fxt_asm_fail_full(struct fxt_asm_cursor *cursor, const char *message)
{
    if (cursor->message == NULL) {
        cursor->message = message;
        cursor->error_at = cursor->at;
        cursor->status = FXT_FULL;
    }
    return false;
}

const char *fxt_asm_here(struct fxt_asm_cursor *cursor)
{
    while (cursor->at < cursor->end &&
           (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\r'))
        cursor->at++;
    if (cursor->at < cursor->end && *cursor->at == ';')
        cursor->at = cursor->end;
    return cursor->at;
}

bool fxt_asm_at_end(struct fxt_asm_cursor *cursor)
{
    return fxt_asm_here(cursor) == cursor->end;
}

char fxt_asm_peek(struct fxt_asm_cursor *cursor)
{
    return fxt_asm_at_end(cursor) ? '\0' : *cursor->at;
}

bool fxt_asm_take(struct fxt_asm_cursor *cursor, char c)
{
    if (fxt_asm_peek(cursor) != c || cursor->at == cursor->end)
        return false;
    cursor->at++;
    return true;
}

bool fxt_asm_need(struct fxt_asm_cursor *cursor, char c, const char *message)
{
    return fxt_asm_take(cursor, c) || fxt_asm_fail(cursor, cursor->at, message);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* What cannot follow a word or a number without a blank. */
static bool goes_on(const struct fxt_asm_cursor *cursor)
{
    char c;
    if (cursor->at == cursor->end)
        return false;
    c = *cursor->at;
    return is_letter(c) || is_digit(c) || c == '.' || c == '"' || c == '@';
}

bool fxt_asm_name(struct fxt_asm_cursor *cursor, const char **name, size_t *length)
{
    *name = fxt_asm_here(cursor);
    if (cursor->at == cursor->end || !is_letter(*cursor->at))
        return fxt_asm_fail(cursor, cursor->at, "a name was expected here");
    while (cursor->at < cursor->end &&
           (is_letter(*cursor->at) || is_digit(*cursor->at) || *cursor->at == '.'))
        cursor->at++;
    *length = (size_t)(cursor->at - *name);
    return true;
}

/* The value of a hexadecimal digit, or 16. */
static unsigned hex_digit(char c)
{
    if (is_digit(c))
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16;
}

static bool is_hex(const struct fxt_asm_cursor *cursor)
{
    return cursor->end - cursor->at >= 2 && cursor->at[0] == '0' && cursor->at[1] == 'x';
}

/* Digits of the base at the cursor. */
static bool digits(struct fxt_asm_cursor *cursor, uint64_t *number, unsigned base)
{
    const char *first = cursor->at;
    *number = 0;
    while (cursor->at < cursor->end && hex_digit(*cursor->at) < base) {
        unsigned digit = hex_digit(*cursor->at);
        if (*number > (UINT64_MAX - digit) / base)
            return fxt_asm_fail(cursor, first, "the number does not fit 64 bits");
        *number = *number * base + digit;
        cursor->at++;
    }
    return cursor->at > first || fxt_asm_fail(cursor, first, "a number was expected here");
}

bool fxt_asm_number(struct fxt_asm_cursor *cursor, uint64_t *number, uint64_t max)
{
    const char *first = fxt_asm_here(cursor);
    unsigned base = is_hex(cursor) ? 16 : 10;
    if (base == 16)
        cursor->at += 2;
    if (!digits(cursor, number, base))
        return false;
    if (goes_on(cursor))
        return fxt_asm_fail(cursor, cursor->at, "this does not belong to a number");
    if (*number > max)
        return fxt_asm_fail(cursor, first, "the number is too large here");
    return true;
}

bool fxt_asm_signed(struct fxt_asm_cursor *cursor, uint64_t *number, unsigned bits)
{
    uint64_t half = UINT64_C(1) << (bits - 1);
    if (!fxt_asm_take(cursor, '-'))
        return fxt_asm_number(cursor, number, half - 1);
    if (!fxt_asm_number(cursor, number, half))
        return false;
    *number = 0 - *number;
    return true;
}

/* [.digits] after the digits of a decimal number; *places counts them. */
static bool fraction(struct fxt_asm_cursor *cursor, uint64_t *number, int *places)
{
    const char *first = cursor->at;
    while (cursor->at < cursor->end && is_digit(*cursor->at)) {
        if (*number > UINT64_MAX / 10 - 1)
            return fxt_asm_fail(cursor, first, "too many digits: write the 64 bits, 0x...");
        *number = *number * 10 + (uint64_t)(*cursor->at - '0');
        cursor->at++;
        (*places)++;
    }
    return cursor->at > first || fxt_asm_fail(cursor, first, "digits were expected here");
}

static bool power(struct fxt_asm_cursor *cursor, int *exponent)
{
    uint64_t number;
    bool negative = cursor->at < cursor->end && *cursor->at == '-';
    if (negative || (cursor->at < cursor->end && *cursor->at == '+'))
        cursor->at++;
    if (!digits(cursor, &number, 10))
        return false;
    if (number > 1000)
        number = 1000;
    *exponent = negative ? -(int)number : (int)number;
    return true;
}

bool fxt_asm_double(struct fxt_asm_cursor *cursor, uint64_t *bits)
{
    const char *first = fxt_asm_here(cursor);
    uint64_t number;
    int places = 0;
    int exponent = 0;
    if (is_hex(cursor))
        return fxt_asm_number(cursor, bits, UINT64_MAX);
    bool negative = fxt_asm_take(cursor, '-');
    if (!digits(cursor, &number, 10))
        return false;
    if (cursor->at < cursor->end && *cursor->at == '.') {
        cursor->at++;
        if (!fraction(cursor, &number, &places))
            return false;
    }
    if (cursor->at < cursor->end && *cursor->at == 'e') {
        cursor->at++;
        if (!power(cursor, &exponent))
            return false;
    }
    if (goes_on(cursor))
        return fxt_asm_fail(cursor, cursor->at, "this does not belong to a number");
    if (!fxt_convert_decimal_bits(bits, number, exponent - places, negative))
        return fxt_asm_fail(cursor, first, "no exact decimal number: write the 64 bits, 0x...");
    return true;
}

bool fxt_asm_scratch(struct fxt_asm_cursor *cursor, uint8_t **bytes, uint64_t size)
{
    if (size > cursor->scratch_size)
        return fxt_asm_fail_full(cursor, "the scratch memory is full");
    *bytes = cursor->scratch;
    cursor->scratch += size;
    cursor->scratch_size -= size;
    return true;
}

static bool push(struct fxt_asm_cursor *cursor, struct fxt_bytes *to, unsigned byte)
{
    uint8_t *room;
    if (!fxt_asm_scratch(cursor, &room, 1))
        return false;
    *room = (uint8_t)byte;
    to->size++;
    return true;
}

/* Two digits at the cursor. */
static bool hex_byte(struct fxt_asm_cursor *cursor, unsigned *byte)
{
    if (cursor->end - cursor->at < 2 || hex_digit(cursor->at[0]) > 15 ||
        hex_digit(cursor->at[1]) > 15)
        return fxt_asm_fail(cursor, cursor->at, "two hexadecimal digits were expected here");
    *byte = 16 * hex_digit(cursor->at[0]) + hex_digit(cursor->at[1]);
    cursor->at += 2;
    return true;
}

/* After a backslash. */
static bool escape(struct fxt_asm_cursor *cursor, unsigned *byte)
{
    static const char letters[] = "nrt\"\\";
    static const char meanings[] = "\n\r\t\"\\";
    if (cursor->at < cursor->end && *cursor->at == 'x') {
        cursor->at++;
        return hex_byte(cursor, byte);
    }
    for (size_t i = 0; cursor->at < cursor->end && i < sizeof letters - 1; i++) {
        if (*cursor->at == letters[i]) {
            *byte = (unsigned)meanings[i];
            cursor->at++;
            return true;
        }
    }
    return fxt_asm_fail(cursor, cursor->at, "not an escape: \\n \\r \\t \\\" \\\\ \\xNN");
}

static bool quoted(struct fxt_asm_cursor *cursor, struct fxt_bytes *bytes)
{
    while (cursor->at < cursor->end && *cursor->at != '"') {
        unsigned byte = (unsigned char)*cursor->at;
        if (byte < 0x20 || byte == 0x7f)
            return fxt_asm_fail(cursor, cursor->at, "a control character must be escaped");
        cursor->at++;
        if (byte == '\\' && !escape(cursor, &byte))
            return false;
        if (!push(cursor, bytes, byte))
            return false;
    }
    if (cursor->at == cursor->end)
        return fxt_asm_fail(cursor, cursor->at, "the string does not end");
    cursor->at++;
    return true;
}

static bool hex_bytes(struct fxt_asm_cursor *cursor, struct fxt_bytes *bytes)
{
    unsigned byte;
    while (cursor->at < cursor->end && *cursor->at != '"') {
        if (*cursor->at == ' ') {
            cursor->at++;
            continue;
        }
        if (!hex_byte(cursor, &byte) || !push(cursor, bytes, byte))
            return false;
    }
    if (cursor->at == cursor->end)
        return fxt_asm_fail(cursor, cursor->at, "the string does not end");
    cursor->at++;
    return true;
}

bool fxt_asm_bytes(struct fxt_asm_cursor *cursor, struct fxt_bytes *bytes)
{
    const char *first = fxt_asm_here(cursor);
    bytes->bytes = cursor->scratch;
    bytes->size = 0;
    if (cursor->end - first >= 2 && first[0] == 'x' && first[1] == '"') {
        cursor->at += 2;
        return hex_bytes(cursor, bytes);
    }
    if (!fxt_asm_take(cursor, '"'))
        return fxt_asm_fail(cursor, first, "a string was expected here: \"text\" or x\"00ff\"");
    return quoted(cursor, bytes);
}
