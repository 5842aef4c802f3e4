/* Findings of one record against the decoder, the canonical form, and rules that can be told from the
   fields alone. No state. */
#include "fuzz/lib/check_laws.h"

#include "fuzz/lib/any.h"

/* REC-06 and its like are findings, too, but only a refusal is of class malformed. */
static void check_malformed(const struct fxt_checker *checker, const struct fxt_record *record,
                            uint32_t count)
{
    struct fuzz_record decoded;
    struct fxt_error error;
    enum fxt_status status = fuzz_decode_all(&decoded, record, &error);
    unsigned malformed = 0;

    if (count > FXT_FINDINGS_MAX)
        return;
    for (uint32_t i = 0; i < count; i++) {
        if (fxt_rule_class(checker->findings[i].rule) != FXT_MALFORMED_CLASS)
            continue;
        malformed++;
        FUZZ_CHECK(status == FXT_MALFORMED);
        FUZZ_CHECK(checker->findings[i].rule == error.rule);
        FUZZ_CHECK(checker->findings[i].offset == error.offset);
    }
    FUZZ_CHECK(malformed == (status == FXT_MALFORMED ? 1 : 0));
}

/* What keeps a record from being canonical is a finding, at the same word; the checker may take a
   shorter way through a record than the canonical form does. */
static void check_not_canonical(const struct fxt_checker *checker, const struct fxt_record *record,
                                uint32_t count)
{
    struct fxt_error error;

    if (count > FXT_FINDINGS_MAX || fxt_check_canonical(record, &error) == FXT_OK)
        return;
    enum fxt_rule rule = error.rule;
    if (rule == FXT_RULE_EVT_10 && checker->edition == FXT_EDITION_2020)
        rule = FXT_RULE_REC_08;
    for (uint32_t i = 0; i < count; i++)
        if (checker->findings[i].rule == rule && checker->findings[i].offset == error.offset)
            return;
    fuzz_broken(__FILE__, __LINE__, "a record that is not canonical has a finding");
}

/* What came after edition 2020 is found there, each thing once; in edition current nothing is. */
static void check_edition(const struct fxt_checker *checker, const struct fxt_record *record,
                          uint32_t count)
{
    struct fuzz_record decoded;
    struct fxt_error error;
    unsigned expected = record->type == FXT_RECORD_PROFILER || record->type == FXT_RECORD_LARGE;
    unsigned found = 0;

    if (count > FXT_FINDINGS_MAX)
        return;
    bool good = fuzz_decode_all(&decoded, record, &error) == FXT_OK;
    if (record->type == FXT_RECORD_SCHEDULING) {
        if (fxt_record_scheduling_type(record) > FXT_SCHEDULING_THREAD_WAKEUP)
            return; /* of no edition */
        expected += fxt_record_scheduling_type(record) > FXT_SCHEDULING_LEGACY_SWITCH;
    }
    if (good && decoded.kind == FUZZ_BLOB)
        expected += decoded.any.blob.blob_type == FXT_BLOB_PERFETTO;
    for (uint8_t i = 0; good && i < decoded.arg_count; i++)
        expected += decoded.args[i].type >= FXT_ARG_BOOL && decoded.args[i].type < FUZZ_ARG_COUNT;
    for (uint32_t i = 0; i < count; i++)
        found += checker->findings[i].rule == FXT_RULE_EDN_01;
    FUZZ_CHECK(found == (checker->edition == FXT_EDITION_2020 ? expected : 0));
}

static unsigned found(const struct fxt_checker *checker, uint32_t count, enum fxt_rule rule)
{
    unsigned number = 0;
    for (uint32_t i = 0; i < count; i++)
        number += checker->findings[i].rule == rule;
    return number;
}

static bool numeric(const struct fxt_arg *arg)
{
    return arg->type >= FXT_ARG_INT32 && arg->type <= FXT_ARG_DOUBLE;
}

/* EVT-02, EVT-05, EVT-09 and ARG-04: as often as the fields say. */
static void check_event(const struct fxt_checker *checker, const struct fxt_record *record,
                        uint32_t count)
{
    struct fuzz_record decoded;
    struct fxt_error error;
    const struct fxt_event *event = &decoded.any.event;
    unsigned other = 0;
    unsigned unknown = 0;

    if (count > FXT_FINDINGS_MAX || record->type != FXT_RECORD_EVENT ||
        fuzz_decode_all(&decoded, record, &error) != FXT_OK)
        return;
    for (uint8_t i = 0; i < decoded.arg_count; i++) {
        other += !numeric(&decoded.args[i]);
        unknown += fuzz_value_of(decoded.args[i].type) == FUZZ_VALUE_UNKNOWN;
    }
    other += decoded.arg_count == 0;
    FUZZ_CHECK(found(checker, count, FXT_RULE_ARG_04) == unknown);
    FUZZ_CHECK(found(checker, count, FXT_RULE_EVT_02) == (event->event_type > FXT_EVENT_FLOW_END));
    FUZZ_CHECK(found(checker, count, FXT_RULE_EVT_09) ==
               (event->event_type == FXT_EVENT_COUNTER ? other : 0));
    FUZZ_CHECK(
        found(checker, count, FXT_RULE_EVT_05) ==
        (event->event_type == FXT_EVENT_DURATION_COMPLETE && event->value < event->timestamp));
}

/* The bytes of the character at `p`, of which `left` bytes are there; 0 if there is none. Each code
   point has one encoding, the shortest, and surrogates have none. */
static uint64_t character_bytes(const uint8_t *p, uint64_t left)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint64_t bytes = p[0] < 0x80       ? 1
                     : p[0] >> 5 == 6  ? 2
                     : p[0] >> 4 == 14 ? 3
                     : p[0] >> 3 == 30 ? 4
                                       : 0;
    if (bytes == 0 || bytes > left)
        return 0;
    uint32_t point = bytes == 1 ? p[0] : p[0] & (0x7fu >> bytes);
    for (uint64_t i = 1; i < bytes; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        point = point << 6 | (p[i] & 0x3f);
    }
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point >= least[bytes] && point <= 0x10ffff && !surrogate ? bytes : 0;
}

bool fuzz_utf8(const uint8_t *bytes, uint64_t size)
{
    uint64_t at = 0;
    while (at < size) {
        uint64_t character = character_bytes(bytes + at, size - at);
        if (character == 0)
            return false;
        at += character;
    }
    return true;
}

/* STR-05 of string records. */
static void check_text(const struct fxt_checker *checker, const struct fxt_record *record,
                       uint32_t count)
{
    struct fxt_string string;
    struct fxt_error error;

    if (count > FXT_FINDINGS_MAX || fxt_read_string(record, &string, &error) != FXT_OK)
        return;
    FUZZ_CHECK(found(checker, count, FXT_RULE_STR_05) ==
               !fuzz_utf8(string.value.bytes, string.value.size));
}

void fuzz_check_laws(const struct fxt_checker *checker, const struct fxt_record *record,
                     uint32_t count)
{
    check_malformed(checker, record, count);
    check_not_canonical(checker, record, count);
    check_edition(checker, record, count);
    check_event(checker, record, count);
    check_text(checker, record, count);
}
