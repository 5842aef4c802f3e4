/* Arguments as the members of "args"; see chrome_i.h. No state beyond struct fxt_i_chrome_names,
   which lives as long as one event.

   No two members have the same name: a name that was there before gets #2, #3 … Names are told
   apart by a hash first; only when the hash occurred before are texts compared, as they are
   written: with ill-formed bytes replaced and with the #n that earlier ones got. */
#include "src/convert/args.h"
#include "src/convert/chrome_i.h"

/* A name, character by character. */
struct letters {
    struct fxt_bytes text;
    size_t at;
    char made[24]; /* text of an unregistered ref, without quotes */
};

#define LETTERS_END UINT32_MAX

static void letters_init(struct letters *letters, const struct fxt_chrome *chrome,
                         struct fxt_string_ref ref)
{
    letters->at = 0;
    if (!fxt_tables_string(chrome->tables, &letters->text, ref)) {
        char made[64];
        const char *end = fxt_i_chrome_put_unknown(made, "#", ref.ref);
        letters->text.bytes = (const uint8_t *)letters->made;
        letters->text.size = (uint64_t)(end - made) - 2;
        memcpy(letters->made, made + 1, sizeof letters->made);
    }
}

static uint32_t letters_next(struct letters *letters)
{
    size_t left = (size_t)letters->text.size - letters->at;
    if (left == 0)
        return LETTERS_END;
    const uint8_t *bytes = letters->text.bytes + letters->at;
    bool valid;
    size_t length = fxt_escape_character(&valid, bytes, left);
    letters->at += length;
    if (!valid)
        return 0xefbfbd;
    uint32_t letter = 0;
    for (size_t i = 0; i < length; i++)
        letter = letter << 8 | bytes[i];
    return letter;
}

#define DIGEST_START UINT64_C(0xcbf29ce484222325)

static uint64_t digest_letter(uint64_t digest, uint32_t letter)
{
    return (digest ^ letter) * UINT64_C(0x100000001b3);
}

/* Of the name as it is written, without a number. Each name is digested at most once an
   event, whatever it is compared with. Should two names have one digest, one of them gets a number
   that it does not need. */
static uint64_t digest_of(const struct fxt_chrome *chrome, struct fxt_string_ref ref)
{
    struct letters letters;
    uint64_t digest = DIGEST_START;
    uint32_t letter;
    letters_init(&letters, chrome, ref);
    while ((letter = letters_next(&letters)) != LETTERS_END)
        digest = digest_letter(digest, letter);
    return digest;
}

/* Of name#repeat, from that of the name. */
static uint64_t digest_repeat(uint64_t digest, unsigned repeat)
{
    if (repeat < 2)
        return digest;
    digest = digest_letter(digest, '#');
    if (repeat >= 10)
        digest = digest_letter(digest, '0' + repeat / 10);
    return digest_letter(digest, '0' + repeat % 10);
}

static bool may_be_same(uint16_t a, uint16_t b)
{
    return a == b || a == FXT_I_CHROME_NO_HASH || b == FXT_I_CHROME_NO_HASH;
}

/* The smallest number that makes the name one of its own. */
static unsigned repeat_of(const struct fxt_chrome *chrome, struct fxt_i_chrome_names *names,
                          struct fxt_string_ref ref, uint16_t hash)
{
    unsigned repeat = 1;
    uint32_t i = 0;
    uint64_t digest = 0;
    bool digested = false;
    while (i < names->count) {
        if (may_be_same(hash, names->hash[i])) {
            if (!digested)
                digest = digest_of(chrome, ref);
            digested = true;
            if (!(names->digested >> i & 1))
                names->digest[i] =
                    digest_repeat(digest_of(chrome, names->refs[i]), names->repeats[i]);
            names->digested |= UINT32_C(1) << i;
            if (names->digest[i] == digest_repeat(digest, repeat)) {
                hash = FXT_I_CHROME_NO_HASH;
                repeat++; /* at most count + 1, since each entry is the same for one number only */
                i = 0;
                continue;
            }
        }
        i++;
    }
    return repeat;
}

/* Notes a name of that hash; returns its number. */
static unsigned note_name(const struct fxt_chrome *chrome, struct fxt_i_chrome_names *names,
                          struct fxt_string_ref ref, uint16_t hash)
{
    unsigned repeat = 1;
    uint64_t bit = UINT64_C(1) << hash % 64;
    if ((names->hashes & bit) != 0 || hash == FXT_I_CHROME_NO_HASH) {
        repeat = repeat_of(chrome, names, ref, hash);
        if (repeat > 1)
            hash = FXT_I_CHROME_NO_HASH;
        if (hash == FXT_I_CHROME_NO_HASH)
            bit = UINT64_MAX; /* whatever comes now is compared with it */
    }
    names->hashes |= bit;
    names->hash[names->count] = hash;
    names->refs[names->count] = ref;
    names->repeats[names->count] = (uint8_t)repeat;
    names->count++;
    return repeat;
}

char *fxt_i_chrome_put_key(const struct fxt_chrome *chrome, char *to,
                           struct fxt_i_chrome_names *names, const char *name)
{
    size_t length = strlen(name);
    if (names->count > 0)
        *to++ = ',';
    note_name(chrome, names, fxt_string_inline(name, length), fxt_i_chrome_hash(name, length));
    *to++ = '"';
    memcpy(to, name, length);
    to += length;
    *to++ = '"';
    *to++ = ':';
    return to;
}

static char *put_name(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                      struct fxt_string_ref ref)
{
    uint16_t hash;
    if (names->count > 0)
        *to++ = ',';
    to = fxt_i_chrome_put_string(chrome, to, &hash, ref);
    unsigned repeat = note_name(chrome, names, ref, hash);
    if (repeat > 1) {
        to[-1] = '#';
        to = fxt_number_u64(to, repeat);
        *to++ = '"';
    }
    *to = ':';
    return to + 1;
}

static char *put_double(char *to, const struct fxt_arg *arg)
{
    bool finite = (arg->value >> 52 & 2047) != 2047;
    if (finite)
        return fxt_number_double(to, fxt_arg_double(arg));
    if (arg->value << 12 != 0)
        return FXT_I_PUT(to, "\"NaN\"");
    return arg->value >> 63 ? FXT_I_PUT(to, "\"-Infinity\"") : FXT_I_PUT(to, "\"Infinity\"");
}

/* All digits, but from 2^63 on with an exponent: Perfetto reads digits alone as an int64. */
static char *put_sample(char *to, uint64_t number)
{
    if (number <= INT64_MAX)
        return fxt_number_u64(to, number);
    char *end = fxt_number_u64(to + 1, number);
    char exponent = (char)('0' + (end - to - 2) % 10); /* 18 or 19 */
    to[0] = to[1];
    to[1] = '.';
    end = FXT_I_PUT(end, "e+1");
    *end = exponent;
    return end + 1;
}

static char *put_value(struct fxt_chrome *chrome, char *to, const struct fxt_arg *arg, bool counter)
{
    uint16_t hash;
    switch (fxt_convert_arg_shape(arg)) {
    case FXT_CONVERT_ARG_NOTHING:
        return FXT_I_PUT(to, "null");
    case FXT_CONVERT_ARG_INT32:
        return fxt_number_i64(to, fxt_arg_int64(arg));
    case FXT_CONVERT_ARG_UINT32:
        return fxt_number_u64(to, arg->value);
    case FXT_CONVERT_ARG_INT64:
        return counter ? fxt_number_i64(to, fxt_arg_int64(arg))
                       : fxt_i_chrome_put_number(to, fxt_arg_int64(arg));
    case FXT_CONVERT_ARG_UINT64:
        return counter ? put_sample(to, arg->value) : fxt_i_chrome_put_koid(to, arg->value);
    case FXT_CONVERT_ARG_DOUBLE:
        return put_double(to, arg);
    case FXT_CONVERT_ARG_STRING:
        return fxt_i_chrome_put_string(chrome, to, &hash, arg->text);
    case FXT_CONVERT_ARG_ADDRESS:
        return fxt_i_chrome_put_id(to, arg->value);
    case FXT_CONVERT_ARG_BOOL:
        if (counter)
            return fxt_number_u64(to, arg->value != 0);
        return arg->value != 0 ? FXT_I_PUT(to, "true") : FXT_I_PUT(to, "false");
    case FXT_CONVERT_ARG_BLOB:
        return fxt_i_chrome_put_base64(chrome, to, arg->blob);
    default:
        return fxt_i_chrome_put_unknown(to, "type ", arg->type);
    }
}

static inline char *put_arg(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                            const struct fxt_arg *arg, bool counter)
{
    to = fxt_i_chrome_more(chrome, to);
    to = put_name(chrome, to, names, arg->name);
    return put_value(chrome, to, arg, counter);
}

char *fxt_i_chrome_put_arg_list(struct fxt_chrome *chrome, char *to,
                                struct fxt_i_chrome_names *names, const struct fxt_arg *args,
                                uint16_t count, bool counter)
{
    for (uint16_t i = 0; i < count; i++)
        to = put_arg(chrome, to, names, &args[i], counter);
    return fxt_i_chrome_more(chrome, to);
}

bool fxt_i_chrome_is_value(const struct fxt_arg *arg)
{
    static const uint32_t values = 1u << FXT_CONVERT_ARG_INT32 | 1u << FXT_CONVERT_ARG_UINT32 |
                                   1u << FXT_CONVERT_ARG_INT64 | 1u << FXT_CONVERT_ARG_UINT64 |
                                   1u << FXT_CONVERT_ARG_DOUBLE | 1u << FXT_CONVERT_ARG_BOOL;
    return arg->type != FXT_ARG_KOID && (values >> fxt_convert_arg_shape(arg) & 1) != 0;
}

char *fxt_i_chrome_put_args(struct fxt_chrome *chrome, char *to, struct fxt_i_chrome_names *names,
                            struct fxt_args args, bool counter)
{
    struct fxt_arg arg;
    struct fxt_error error;
    while (names->count < FXT_I_CHROME_NAMES_MAX && fxt_args_next(&args, &arg, &error) == FXT_OK)
        to = put_arg(chrome, to, names, &arg, counter);
    return fxt_i_chrome_more(chrome, to);
}
