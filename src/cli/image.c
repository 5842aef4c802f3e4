/* From the image of a buffer to a trace in a temporary file. struct image is the state of one call. Records
   that break the format are the reader's to report: they are copied like all others. */
#include "src/cli/image.h"

#include <string.h>
#include <unistd.h>

#include <fxt/write.h>
#include <trace/internal/recording.h>

#include "src/base/word.h"
#include "src/cli/finding.h"
#include "src/cli/message.h"
#include "src/cli/temporary.h"
#include "src/convert/salvage.h"

#define TOTAL_SIZE 16u /* offset of the buffer's size in its header */
#define PROVIDER 1u
#define NAME_MAX_BYTES 100u

struct image {
    const char *file;
    int to;
    bool failed;
    size_t used;
    uint8_t piece[RAW_BYTES];
};

static uint64_t buffer_bytes(const uint8_t *bytes, size_t size)
{
    uint64_t total = size >= FXT_BUFFER_HEADER_BYTES ? fxt_load_word(bytes + TOTAL_SIZE) : 0;
    return total <= FXT_BUFFER_BYTES_MAX ? total : 0;
}

uint64_t image_bytes(const uint8_t *bytes, size_t size)
{
    return buffer_bytes(bytes, size) + TRACE_I_RECORDING_BYTES;
}

bool image_is_recording(const uint8_t *bytes, size_t size)
{
    uint64_t total = buffer_bytes(bytes, size);
    return total >= FXT_BUFFER_BYTES_MIN && size >= total + TRACE_I_RECORDING_BYTES &&
           fxt_load_word(bytes + total) == TRACE_I_RECORDING_MAGIC;
}

static void flush(struct image *image)
{
    if (!image->failed)
        image->failed = !temporary_write(image->to, image->file, image->piece, image->used);
    image->used = 0;
}

static void put(struct image *image, const uint8_t *bytes, uint64_t size)
{
    if (size > sizeof image->piece - image->used)
        flush(image);
    if (size > sizeof image->piece) {
        image->failed =
            image->failed || !temporary_write(image->to, image->file, bytes, (size_t)size);
        return;
    }
    memcpy(image->piece + image->used, bytes, (size_t)size);
    image->used += (size_t)size;
}

static void put_head(struct image *image)
{
    uint8_t bytes[2 * FXT_WORD_BYTES + NAME_MAX_BYTES + FXT_WORD_BYTES];
    struct fxt_writer writer;
    const struct fxt_provider_info info = {
        .provider_id = PROVIDER, .name = input_title(image->file, NAME_MAX_BYTES, "salvaged")};
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_magic(&writer);
    fxt_write_provider_info(&writer, &info);
    put(image, bytes, writer.size);
}

static void put_records(struct image *image, struct fxt_salvage *salvage)
{
    struct fxt_record record;
    uint8_t drops[FXT_WORD_BYTES];
    while (!image->failed && fxt_salvage_next(salvage, &record))
        put(image, record.bytes, FXT_WORD_BYTES * (uint64_t)record.words);
    if (salvage->header.records_dropped == 0)
        return;
    fxt_salvage_drops(drops, PROVIDER);
    put(image, drops, sizeof drops);
}

/* The archive follows the page, of which nothing else was read. False if the file ends before it. */
static bool put_archive(struct image *image, struct input *input, uint64_t size)
{
    while (size > 0 && !image->failed) {
        flush(image);
        uint64_t want = size < sizeof image->piece ? size : sizeof image->piece;
        size_t got = input_read(input, image->piece, (size_t)want);
        if (got == 0)
            return false;
        image->used = got;
        size -= got;
    }
    flush(image);
    return true;
}

/* Leaves out of the buffer what is in the archive, and returns its size. */
static uint64_t take_page(struct fxt_salvage *salvage, const uint8_t *page)
{
    uint64_t current = fxt_load_word(page + TRACE_I_RECORDING_CURRENT) % 2;
    const uint8_t *slot = page + TRACE_I_RECORDING_SLOT(current);
    uint64_t durable = fxt_load_word(slot + TRACE_I_RECORDING_DURABLE);
    struct fxt_i_source *first = salvage->parts;
    salvage->part_count = fxt_i_sources(salvage->parts, &salvage->header, true,
                                        (uint32_t)fxt_load_word(slot + TRACE_I_RECORDING_LAP));
    if (first->is_durable) {
        durable = durable < first->size ? durable : first->size;
        first->offset += durable;
        first->size -= durable;
        first->room -= durable;
    }
    return fxt_load_word(slot + TRACE_I_RECORDING_ARCHIVE);
}

static enum exit_code convert(struct image *image, struct input *input, const uint8_t *bytes,
                              size_t size)
{
    struct fxt_salvage salvage;
    struct fxt_error error;
    bool is_recording = image_is_recording(bytes, size);
    uint64_t total = is_recording ? buffer_bytes(bytes, size) : size;
    if (fxt_salvage_init(&salvage, bytes, total, &error) != FXT_OK) {
        finding_message(image->file, "buffer", &error);
        return EXIT_FINDINGS;
    }
    if (!is_recording) {
        put_head(image);
    } else if (!put_archive(image, input, take_page(&salvage, bytes + total))) {
        if (!input->raw.failed)
            message("%s: a recording of which the end is missing", image->file);
        return EXIT_FINDINGS;
    }
    put_records(image, &salvage);
    flush(image);
    return image->failed ? EXIT_IO : EXIT_CLEAN;
}

enum exit_code image_take(struct input *input, const uint8_t *bytes, size_t size)
{
    static struct image image;
    image.file = input->raw.name;
    image.failed = false;
    image.used = 0;
    image.to = temporary_open(image.file);
    if (image.to < 0)
        return EXIT_IO;
    enum exit_code code = convert(&image, input, bytes, size);
    if (code == EXIT_CLEAN)
        return input_replace(input, image.to) ? EXIT_CLEAN : EXIT_IO;
    close(image.to);
    return code;
}
