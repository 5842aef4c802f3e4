/* Large blobs cut into records that every reader knows; see format.h. No state beyond the counts. */
#include <fxt/write.h>

#include "src/convert/args.h"
#include "src/convert/format_i.h"
#include "src/convert/number.h"

#define PART_BYTES 200u /* of a category or a name */
#define NAME_BYTES (2 * PART_BYTES + 64u)
#define RECORD_BYTES 32760u
#define BLOB_TYPE_DATA 1u

/* The text of a ref, cut in front of a character; returns the new end. */
static char *put_text(const struct fxt_format *format, char *to, struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    if (!fxt_tables_string(format->tables, &text, ref)) {
        memcpy(to, "unknown ", 8);
        return fxt_number_u64(to + 8, ref.ref);
    }
    size_t size = (size_t)text.size;
    if (size > PART_BYTES) {
        size = PART_BYTES;
        while (size > PART_BYTES - 4 && (text.bytes[size] & 0xc0) == 0x80)
            size--;
    }
    if (size > 0)
        memcpy(to, text.bytes, size);
    return to + size;
}

/* CATEGORY/NAME#N */
static size_t put_name(const struct fxt_format *format, char *name,
                       const struct fxt_large_blob *blob)
{
    char *to = put_text(format, name, blob->category);
    *to++ = '/';
    to = put_text(format, to, blob->name);
    *to++ = '#';
    to = fxt_number_u64(to, format->large_cut);
    return (size_t)(to - name);
}

/* The metadata as an event. Arguments of unknown type are left out, and those that find no room, the
   last ones first. So is the event, if not even its names fit into one record. */
static void put_event(struct fxt_format *format, const struct fxt_large_blob *blob,
                      struct fxt_string_ref name)
{
    struct fxt_writer writer;
    struct fxt_arg args[FXT_ARGS_MAX];
    const struct fxt_event event = {.event_type = FXT_EVENT_INSTANT,
                                    .timestamp = blob->timestamp,
                                    .thread = blob->thread,
                                    .category = blob->category,
                                    .name = blob->name};
    size_t all = fxt_i_format_args(args, blob->args);
    size_t count = 0;
    for (size_t i = 0; i < all; i++)
        if (fxt_convert_arg_shape(&args[i]) != FXT_CONVERT_ARG_UNKNOWN)
            args[count++] = args[i];
    bool linked = count < FXT_ARGS_MAX;
    if (linked) {
        memmove(args + 1, args, count * sizeof *args);
        args[0] = (struct fxt_arg){
            .name = fxt_string_inline("blob", 4), .type = FXT_ARG_STRING, .text = name};
        count++;
    }
    fxt_writer_init(&writer, format->scratch, RECORD_BYTES);
    enum fxt_status status;
    while ((status = fxt_write_event(&writer, &event, args, count)) != FXT_OK && count > 0)
        count--;
    if (status == FXT_OK)
        format->no_room += all - (count - (linked && count > 0));
    else
        format->no_event++;
    fxt_i_format_put(format, format->scratch, writer.size);
}

static void put_pieces(struct fxt_format *format, struct fxt_bytes payload,
                       struct fxt_string_ref name)
{
    const uint64_t named = fxt_string_ref_length(name);
    const uint64_t room = RECORD_BYTES - FXT_WORD_BYTES - (named + 7) / 8 * 8;
    do {
        struct fxt_writer writer;
        uint64_t size = payload.size < room ? payload.size : room;
        const struct fxt_blob piece = {
            .name = name, .payload = {payload.bytes, size}, .blob_type = BLOB_TYPE_DATA};
        fxt_writer_init(&writer, format->scratch, RECORD_BYTES);
        fxt_write_blob(&writer, &piece);
        fxt_i_format_put(format, format->scratch, writer.size);
        format->pieces++;
        payload.size -= size;
        if (payload.size > 0)
            payload.bytes += size;
    } while (payload.size > 0);
}

enum fxt_status fxt_i_format_large(struct fxt_format *format, const struct fxt_record *record)
{
    struct fxt_large_blob blob;
    struct fxt_error error;
    char name[NAME_BYTES];
    enum fxt_status status = fxt_read_large_blob(record, &blob, &error);
    if (status == FXT_MALFORMED) {
        format->malformed++;
        return status;
    }
    if (status != FXT_OK || format->large == FXT_FORMAT_LARGE_DROP) {
        format->large_dropped++;
        return FXT_OK;
    }
    format->large_cut++;
    const struct fxt_string_ref ref =
        fxt_string_inline(name, (uint16_t)put_name(format, name, &blob));
    if (blob.blob_format == FXT_LARGE_BLOB_METADATA)
        put_event(format, &blob, ref);
    put_pieces(format, blob.payload, ref);
    return FXT_OK;
}
