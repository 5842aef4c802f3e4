/* Numbers and names for people. No state. */
#include "src/tools/fxt/report/print.h"

#include <math.h>
#include <stdio.h>

#include "src/cli/formula.h"
#include "src/convert/number.h"
#include "src/convert/printable.h"

#define TEXT_BYTES_MAX 120u
#define NS UINT64_C(1000000000)
#define EXACT_LIMIT 9007199254740992.0 /* 2^53 */

/* Four digits, rounded. */
size_t readable_ns(char *to, uint64_t ns)
{
    static const char *const units[] = {"\xc2\xb5s", "ms", "s"};
    uint64_t step = 1;
    if (ns < 1000)
        return (size_t)sprintf(to, "%u ns", (unsigned)ns);
    for (unsigned i = 0; i < 9; i++, step *= 10) {
        uint64_t digits = ns / step + (ns % step >= step - step / 2);
        unsigned decimals = 3 - i % 3;
        if (digits < 10000)
            return (size_t)sprintf(to, "%.*f %s", (int)decimals,
                                   (double)digits / (decimals == 3   ? 1000
                                                     : decimals == 2 ? 100
                                                                     : 10),
                                   units[i / 3]);
    }
    return (size_t)sprintf(to, "%llu s", (unsigned long long)(ns / step + (ns % step >= step / 2)));
}

size_t readable_at(char *to, uint64_t ns)
{
    return (size_t)sprintf(to, "%llu.%09llus", (unsigned long long)(ns / NS),
                           (unsigned long long)(ns % NS));
}

size_t readable_u64(char *to, uint64_t number)
{
    return (size_t)sprintf(to, "%llu", (unsigned long long)number);
}

size_t readable_double(char *to, double number)
{
    char *end = to;
    if (isnan(number))
        return (size_t)sprintf(to, "nan");
    if (isinf(number))
        return (size_t)sprintf(to, number > 0 ? "inf" : "-inf");
    if (number > -EXACT_LIMIT && number < EXACT_LIMIT && number == (double)(int64_t)number)
        end = fxt_number_i64(to, (int64_t)number);
    else
        end = fxt_number_double(to, number);
    *end = '\0';
    return (size_t)(end - to);
}

size_t readable_value(char *to, struct counter_value value)
{
    if (value.type == COUNTER_SIGNED)
        return (size_t)sprintf(to, "%lld", (long long)(int64_t)value.bits);
    if (value.type == COUNTER_UNSIGNED)
        return readable_u64(to, value.bits);
    return readable_double(to, counter_value_double(value));
}

size_t readable_percent(char *to, double change)
{
    if (!isfinite(change) || change >= 99.995)
        return (size_t)sprintf(to, "> 9999 %%");
    return (size_t)sprintf(to, "%+.1f %%", 100 * change);
}

/* What stands for a printable byte, or NULL for the byte itself. */
static const char *special(uint8_t byte, enum readable_form form)
{
    if (form == READABLE_CSV)
        return byte == '"' ? "\"\"" : NULL;
    if (form == READABLE_FOLDED)
        return byte == ';' ? "\\x3b" : NULL;
    if (form == READABLE_TEXT)
        return NULL;
    switch (byte) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

/* U+FFFE and U+FFFF are printable, but no characters of XML. */
static bool is_no_character(const uint8_t *at, size_t length)
{
    return length == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe;
}

static size_t put_character(struct fxt_out *out, const uint8_t *at, size_t size,
                            enum readable_form form)
{
    char escaped[8];
    size_t length = fxt_i_printable_length(at, size);
    if (length == 0 || (form == READABLE_XML && is_no_character(at, length))) {
        sprintf(escaped, "\\x%02x", at[0]);
        fxt_out_text(out, escaped);
        return 1;
    }
    const char *instead = special(at[0], form);
    if (instead != NULL)
        fxt_out_text(out, instead);
    else
        fxt_out_bytes(out, (const char *)at, length);
    return length;
}

void readable_name(struct fxt_out *out, struct fxt_bytes name, enum readable_form form)
{
    uint64_t at = 0;
    if (name.size == 0 && form != READABLE_CSV)
        fxt_out_text(out, "(empty)");
    while (at < name.size) {
        if ((form == READABLE_TEXT || form == READABLE_XML) && at >= TEXT_BYTES_MAX) {
            fxt_out_text(out, "...");
            return;
        }
        at += put_character(out, name.bytes + at, (size_t)(name.size - at), form);
    }
}

void readable_csv(struct fxt_out *out, struct fxt_bytes name, bool no_formulas)
{
    fxt_out_text(out, no_formulas && text_is_formula(name) ? "\"'" : "\"");
    readable_name(out, name, READABLE_CSV);
    fxt_out_char(out, '"');
}
