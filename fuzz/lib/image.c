/* See image.h. No state. */
#include "fuzz/lib/image.h"

#include <string.h>

#include "fuzz/lib/frame.h"

static uint64_t number_at(const uint8_t *bytes)
{
    return bytes[0] + 256u * bytes[1];
}

/* Where the words go: the rest of the parts, the first one at `at`. */
struct place {
    uint8_t *image;
    const struct fxt_buffer_header *header;
    unsigned part; /* 0: durable */
    uint64_t begin;
    uint64_t room;
    uint64_t at; /* in the part */
};

static void enter(struct place *place, unsigned part)
{
    const struct fxt_buffer_header *header = place->header;
    place->part = part;
    place->begin = FXT_BUFFER_HEADER_BYTES;
    place->room = part == 0 ? header->durable_size : header->rolling_size;
    place->at = 0;
    if (part > 0)
        place->begin += header->durable_size + (part - 1) * header->rolling_size;
}

static void leave(const struct place *place, uint64_t ends[3])
{
    ends[place->part] = place->at;
}

/* Puts the words into the parts and says where the words of each end. */
static void put_words(struct place *place, const uint8_t *bytes, size_t size, uint64_t ends[3])
{
    bool oneshot = place->header->buffering_mode == FXT_BUFFERING_ONESHOT;
    uint64_t chunk = fuzz_chunk_bytes(place->header->rolling_size);

    enter(place, oneshot ? 1 : 0);
    for (size_t i = 0; i + 8 <= size; i += 8) {
        uint64_t word = fuzz_word(bytes + i);
        if (word == FUZZ_NEXT_PART) {
            leave(place, ends);
            if (oneshot || place->part == 2)
                return;
            enter(place, place->part + 1);
        } else if (word == FUZZ_NEXT_CHUNK) {
            uint64_t next = (place->at / chunk + 1) * chunk;
            place->at = next < place->room ? next : place->room;
        } else if (place->at < place->room) {
            memcpy(place->image + place->begin + place->at, bytes + i, 8);
            place->at += 8;
        }
    }
    leave(place, ends);
}

static void put_header(uint8_t *image, struct fxt_buffer_header *header, const uint8_t *head,
                       const uint64_t ends[3])
{
    bool given = (head[0] & FUZZ_IMAGE_ENDS) == 0;
    header->wrapped_count = head[1];
    header->flags = (head[0] & FUZZ_IMAGE_KEPT) != 0 ? FXT_BUFFER_ENDS_KEPT : 0;
    header->records_dropped = head[8];
    header->definitions_inlined = head[9];
    header->durable_data_end =
        given ? 8 * number_at(head + 2) % (header->durable_size + 8) : ends[0];
    for (unsigned i = 0; i < 2; i++)
        header->rolling_data_end[i] =
            given ? 8 * number_at(head + 4 + 2 * i) % (header->rolling_size + 8) : ends[1 + i];
    if (header->buffering_mode == FXT_BUFFERING_ONESHOT)
        header->rolling_data_end[1] = 0;
    fxt_buffer_write_header(image, header);
}

size_t fuzz_image(uint8_t image[FUZZ_IMAGE_MAX], const uint8_t *bytes, size_t size)
{
    struct fxt_buffer_header header;
    uint64_t ends[3] = {0, 0, 0};

    if (size < FUZZ_IMAGE_HEAD || size > FUZZ_IMAGE_HEAD + FUZZ_IMAGE_MAX)
        return 0;
    const uint8_t *head = bytes + 8;
    size_t total = (head[0] & FUZZ_IMAGE_LARGE) != 0 ? FUZZ_IMAGE_MAX : FXT_BUFFER_BYTES_MIN;
    if (fxt_buffer_sizes(&header, total, head[0] & 3) != FXT_OK)
        return 0;
    bytes += FUZZ_IMAGE_HEAD;
    size -= FUZZ_IMAGE_HEAD;
    memset(image, 0, total);
    if ((head[0] & FUZZ_IMAGE_RAW) != 0) {
        memcpy(image, bytes, size < total ? size : total);
        return total;
    }
    struct place place = {.image = image, .header = &header};
    put_words(&place, bytes, size, ends);
    put_header(image, &header, head, ends);
    return total;
}

struct fxt_buffer_header fuzz_header(const uint8_t *image)
{
    return (struct fxt_buffer_header){
        .total_size = fuzz_word(image + 16),
        .durable_size = fuzz_word(image + 24),
        .rolling_size = fuzz_word(image + 32),
        .durable_data_end = fuzz_word(image + 40),
        .rolling_data_end = {fuzz_word(image + 48), fuzz_word(image + 56)},
        .records_dropped = fuzz_word(image + 64),
        .definitions_inlined = fuzz_word(image + 72),
        .wrapped_count = (uint32_t)(fuzz_word(image + 8) >> 32),
        .buffering_mode = image[10],
        .flags = image[11]};
}

uint64_t fuzz_chunk_bytes(uint64_t room)
{
    uint64_t bytes = 4096;
    while (bytes > 64 && room / bytes < 8)
        bytes /= 2;
    return bytes;
}

/* The words of the record that begins there, if any does and it fits. */
static uint64_t words_at(const uint8_t *bytes, uint64_t left)
{
    uint64_t word = fuzz_word(bytes);
    uint64_t words = word % 16 == 15 ? word >> 4 & UINT64_C(0xffffffff) : word >> 4 & 0xfff;
    return words <= left / 8 ? words : 0;
}

/* A row of records that begins with the magic number of the other byte order is not read (REC-10). */
void fuzz_find_records(struct fuzz_found *found, const uint8_t *image, uint64_t begin,
                       uint64_t size, uint64_t chunk_bytes)
{
    bool first = true;
    bool lost = false;

    for (uint64_t at = 0; at + 8 <= size;) {
        const uint8_t *bytes = image + begin + at;
        uint64_t words = words_at(bytes, size - at);
        if (words == 0) {
            if (chunk_bytes == 0)
                return;
            at = (at / chunk_bytes + 1) * chunk_bytes;
            if (at + chunk_bytes > size)
                return;
            first = true;
            continue;
        }
        lost = first ? fuzz_word(bytes) == UINT64_C(0x1000044678541600) : lost;
        first = false;
        if (!lost) {
            found->records[found->count].offset = begin + at;
            found->records[found->count++].words = words;
        }
        at += 8 * words;
    }
}
