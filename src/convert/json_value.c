/* JSON values; see json_value.h. No state; called by jsonl.c and events.c. */
#include "src/convert/json_value.h"

#include "src/convert/escape.h"
#include "src/convert/quote.h"

void fxt_json_key(struct fxt_out *out, const char *name)
{
    fxt_out_text(out, ",\"");
    fxt_out_text(out, name);
    fxt_out_text(out, "\":");
}

void fxt_json_plain(struct fxt_out *out, const char *string)
{
    fxt_out_char(out, '"');
    fxt_out_text(out, string);
    fxt_out_char(out, '"');
}

void fxt_json_hex(struct fxt_out *out, struct fxt_bytes bytes)
{
    fxt_out_char(out, '"');
    fxt_convert_hex_bytes(out, bytes.bytes, bytes.size);
    fxt_out_char(out, '"');
}

void fxt_json_text(struct fxt_out *out, struct fxt_bytes bytes)
{
    if (!fxt_utf8_valid(bytes.bytes, bytes.size)) {
        fxt_out_text(out, "{\"hex\":");
        fxt_json_hex(out, bytes);
        fxt_out_char(out, '}');
        return;
    }
    fxt_out_char(out, '"');
    fxt_escape_out(out, bytes.bytes, (size_t)bytes.size);
    fxt_out_char(out, '"');
}

void fxt_json_named(struct fxt_out *out, const struct fxt_convert_names *names, uint64_t number)
{
    const char *name = fxt_convert_name_of(names, number);
    if (name != NULL)
        fxt_json_plain(out, name);
    else
        fxt_out_u64(out, number);
}
