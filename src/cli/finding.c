/* Findings as text. No state. cmd_check.c prints them; json.c sends them to stderr. */
#include "src/cli/finding.h"

#include <stdio.h>
#include <string.h>

#include "src/convert/escape.h"
#include "src/convert/printable.h"
#include "src/cli/message.h"

/* The class as printed. CAN-01 is a definition, but a user who asks for it wants to see it. */
static const char *severity(const struct shown_finding *finding)
{
    return finding->rule == FXT_RULE_CAN_01 ? "not canonical"
                                            : fxt_class_name(fxt_rule_class(finding->rule));
}

/* The meaning of a finding's number, by rule. A rule that is not listed has no number. */
static const struct {
    const char *noun;
    enum { DECIMAL, HEX, BUT_NOT_ZERO } style;
} nouns[FXT_RULE_COUNT] = {
    [FXT_RULE_REC_04] = {"bits", HEX},
    [FXT_RULE_REC_06] = {"type", DECIMAL},
    [FXT_RULE_REC_08] = {"words", DECIMAL},
    [FXT_RULE_STR_02] = {"string ref", DECIMAL},
    [FXT_RULE_STR_04] = {"bytes", DECIMAL},
    [FXT_RULE_STR_05] = {"bytes", DECIMAL},
    [FXT_RULE_THR_02] = {"thread ref", DECIMAL},
    [FXT_RULE_MET_01] = {"metadata type", DECIMAL},
    [FXT_RULE_MET_03] = {"provider", DECIMAL},
    [FXT_RULE_MET_04] = {"provider event", DECIMAL},
    [FXT_RULE_MET_05] = {"trace info type", DECIMAL},
    [FXT_RULE_MET_06] = {"word", HEX},
    [FXT_RULE_INI_03] = {"ticks per second", DECIMAL},
    [FXT_RULE_STT_04] = {"string index", DECIMAL},
    [FXT_RULE_EVT_02] = {"event type", DECIMAL},
    [FXT_RULE_EVT_04] = {"open", BUT_NOT_ZERO},
    [FXT_RULE_EVT_05] = {"end", DECIMAL},
    [FXT_RULE_EVT_06] = {"async id", HEX},
    [FXT_RULE_EVT_07] = {"flow id", HEX},
    [FXT_RULE_EVT_08] = {"timestamp", DECIMAL},
    [FXT_RULE_EVT_09] = {"argument type", BUT_NOT_ZERO},
    [FXT_RULE_EVT_10] = {"scope", DECIMAL},
    [FXT_RULE_EVT_11] = {"flow id", HEX},
    [FXT_RULE_EVT_12] = {"end", DECIMAL},
    [FXT_RULE_EVT_13] = {"flow id", HEX},
    [FXT_RULE_ARG_04] = {"argument type", DECIMAL},
    [FXT_RULE_ARG_06] = {"argument", DECIMAL},
    [FXT_RULE_ARG_07] = {"argument", DECIMAL},
    [FXT_RULE_BLB_02] = {"blob type", DECIMAL},
    [FXT_RULE_SCH_02] = {"scheduling type", DECIMAL},
    [FXT_RULE_SCH_03] = {"state", DECIMAL},
    [FXT_RULE_SCH_06] = {"timestamp", DECIMAL},
    [FXT_RULE_SCH_07] = {"thread", DECIMAL},
    [FXT_RULE_SCH_08] = {"thread", DECIMAL},
    [FXT_RULE_PRF_01] = {"profiler type", DECIMAL},
    [FXT_RULE_LRG_01] = {"large type", DECIMAL},
    [FXT_RULE_LRG_02] = {"blob format", DECIMAL},
};

/* Returns whether it printed something. */
static bool number_text(struct fxt_out *out, const struct shown_finding *finding,
                        const char *before)
{
    const char *noun = nouns[finding->rule].noun;
    if (noun == NULL || (finding->number == 0 && nouns[finding->rule].style == BUT_NOT_ZERO))
        return false;
    fxt_out_text(out, before);
    fxt_out_text(out, noun);
    fxt_out_char(out, ' ');
    (nouns[finding->rule].style == HEX ? fxt_out_hex : fxt_out_u64)(out, finding->number);
    return true;
}

/* The rule, and in parentheses what the finding is about. */
static void message_text(struct fxt_out *out, const struct shown_finding *finding)
{
    const char *before = " (";
    fxt_out_text(out, fxt_rule_title(finding->rule));
    if (finding->record != NULL) {
        fxt_out_text(out, before);
        fxt_out_text(out, finding->record);
        before = ", ";
    }
    if (number_text(out, finding, before))
        before = ", ";
    if (finding->reason != FXT_RULE_NONE) {
        fxt_out_text(out, before);
        fxt_out_text(out, fxt_rule_id(finding->reason));
        before = ", ";
    }
    if (*before == ',')
        fxt_out_char(out, ')');
}

void finding_text(struct fxt_out *out, const struct shown_finding *finding)
{
    shown_string(out, finding->file);
    fxt_out_char(out, ':');
    fxt_out_hex(out, finding->offset);
    fxt_out_text(out, ": ");
    fxt_out_text(out, severity(finding));
    fxt_out_text(out, ": ");
    fxt_out_text(out, fxt_rule_id(finding->rule));
    fxt_out_text(out, ": ");
    message_text(out, finding);
    fxt_out_char(out, '\n');
}

static void json_member(struct fxt_out *out, const char *name, const char *text)
{
    fxt_out_text(out, name);
    json_string(out, text, strlen(text));
}

void finding_json(struct fxt_out *out, const struct shown_finding *finding)
{
    json_member(out, "{\"file\":", finding->file);
    fxt_out_text(out, ",\"offset\":");
    fxt_out_u64(out, finding->offset);
    json_member(out, ",\"class\":", severity(finding));
    json_member(out, ",\"rule\":", fxt_rule_id(finding->rule));
    json_member(out, ",\"title\":", fxt_rule_title(finding->rule));
    fxt_out_text(out, ",\"message\":\""); /* our own words: nothing to escape */
    message_text(out, finding);
    fxt_out_char(out, '"');
    if (finding->record != NULL)
        json_member(out, ",\"record\":", finding->record);
    fxt_out_text(out, ",\"number\":\"");
    fxt_out_u64(out, finding->number);
    fxt_out_char(out, '"');
    if (finding->reason != FXT_RULE_NONE)
        json_member(out, ",\"reason\":", fxt_rule_id(finding->reason));
    fxt_out_text(out, "}\n");
}

void finding_message(const char *file, const char *record, const struct fxt_error *error)
{
    message_at("%s:0x%llx: %s: %s: %s%s%s%s", file, (unsigned long long)error->offset,
               fxt_class_name(fxt_rule_class(error->rule)), fxt_rule_id(error->rule),
               fxt_rule_title(error->rule), record != NULL ? " (" : "",
               record != NULL ? record : "", record != NULL ? ")" : "");
}

/* Escapes valid UTF-8 that must not be printed: the two or three bytes of a code below U+10000,
   or DEL. */
static size_t unprintable(unsigned *code, const uint8_t *bytes, size_t size)
{
    bool valid;
    size_t length = fxt_escape_character(&valid, bytes, size);
    *code = bytes[0];
    if (length == 2)
        *code = (bytes[0] & 0x1fu) << 6 | (bytes[1] & 0x3fu);
    if (length == 3)
        *code = (bytes[0] & 0xfu) << 12 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu);
    return valid && bytes[0] >= 0x7f && fxt_i_printable_length(bytes, size) == 0 ? length : 0;
}

void json_string(struct fxt_out *out, const char *text, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t from = 0;
    char escape[8];
    unsigned code;

    fxt_out_char(out, '"');
    for (size_t at = 0; at < size;) {
        size_t length = unprintable(&code, bytes + at, size - at);
        if (length == 0) {
            at++;
            continue;
        }
        fxt_escape_out(out, bytes + from, at - from);
        snprintf(escape, sizeof escape, "\\u%04x", code);
        fxt_out_text(out, escape);
        at += length;
        from = at;
    }
    fxt_escape_out(out, bytes + from, size - from);
    fxt_out_char(out, '"');
}

void shown_string(struct fxt_out *out, const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    size_t size = strlen(text);

    for (size_t at = 0; at < size;) {
        char shown[FXT_I_PRINTABLE_GROWTH * 64 + 1];
        size_t piece = size - at < 64 ? size - at : 64;
        while (piece > 61 && at + piece < size && (bytes[at + piece] & 0xc0) == 0x80)
            piece--;
        fxt_i_printable(shown, sizeof shown, text + at, piece);
        fxt_out_text(out, shown);
        at += piece;
    }
}
