/* The data of a page. The same bytes always give the same text: the gzip header has no time. A text
   node of a browser has a limit, so the base64 is cut into elements of at most ELEMENT_PIECES
   pieces, each of which decodes alone. */
#include "src/tools/fxt/html/pack.h"

#include "src/cli/message.h"

#define ELEMENT_PIECES 240u /* of 64 KiB of base64: 15 MiB */
#define GZIP_WINDOW (15 + 16)
#define LEVEL 1 /* half the instructions of 6, for 7 % more bytes */

bool pack_begin(struct pack *pack, struct fxt_out *out, int number)
{
    *pack = (struct pack){.out = out, .number = number};
    if (deflateInit2(&pack->deflate, LEVEL, Z_DEFLATED, GZIP_WINDOW, 9, Z_DEFAULT_STRATEGY) !=
        Z_OK) {
        message("html: cannot compress: out of memory");
        return false;
    }
    pack->deflate.next_out = pack->zipped;
    pack->deflate.avail_out = sizeof pack->zipped;
    return true;
}

static void put_base64(struct fxt_out *out, const uint8_t *bytes, uint32_t size)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (uint32_t i = 0; i < size; i += 3) {
        uint32_t have = size - i < 3 ? size - i : 3;
        uint32_t word = (uint32_t)bytes[i] << 16;
        word |= have > 1 ? (uint32_t)bytes[i + 1] << 8 : 0;
        word |= have > 2 ? bytes[i + 2] : 0;
        char *to = fxt_out_room(out, 4);
        to[0] = digits[word >> 18];
        to[1] = digits[word >> 12 & 63];
        to[2] = have > 1 ? digits[word >> 6 & 63] : '=';
        to[3] = have > 2 ? digits[word & 63] : '=';
        out->size += 4;
    }
}

static void put_zipped(struct pack *pack)
{
    uint32_t size = (uint32_t)sizeof pack->zipped - pack->deflate.avail_out;
    if (size > 0) {
        if (pack->pieces == 0)
            fxt_out_text(pack->out, pack->number == 0
                                        ? "<script type=\"text/plain\" class=\"data\">"
                                        : "<script type=\"text/plain\" class=\"data new\">");
        put_base64(pack->out, pack->zipped, size);
        pack->pieces++;
    }
    if (pack->pieces == ELEMENT_PIECES || (pack->pieces > 0 && size < sizeof pack->zipped)) {
        fxt_out_text(pack->out, "</script>\n");
        pack->pieces = 0;
    }
    pack->deflate.next_out = pack->zipped;
    pack->deflate.avail_out = sizeof pack->zipped;
}

static void zip(struct pack *pack, int flush)
{
    int result = Z_OK;
    pack->deflate.next_in = pack->plain;
    pack->deflate.avail_in = pack->size;
    pack->size = 0;
    do {
        if (pack->deflate.avail_out == 0)
            put_zipped(pack);
        result = deflate(&pack->deflate, flush);
    } while (result == Z_OK && pack->deflate.avail_out == 0);
    pack->failed |= result == Z_STREAM_ERROR;
}

void pack_expect(struct pack *pack, bool noise)
{
    int result;
    zip(pack, Z_NO_FLUSH);
    while ((result = deflateParams(&pack->deflate, LEVEL,
                                   noise ? Z_HUFFMAN_ONLY : Z_DEFAULT_STRATEGY)) == Z_BUF_ERROR)
        put_zipped(pack);
    pack->failed |= result != Z_OK;
}

static uint8_t *room(struct pack *pack, uint32_t size)
{
    if (sizeof pack->plain - pack->size < size)
        zip(pack, Z_NO_FLUSH);
    return pack->plain + pack->size;
}

void pack_bytes(struct pack *pack, struct fxt_bytes bytes)
{
    while (bytes.size > 0) {
        uint32_t size = bytes.size < 4096 ? (uint32_t)bytes.size : 4096;
        memcpy(room(pack, size), bytes.bytes, size);
        pack->size += size;
        bytes.bytes += size;
        bytes.size -= size;
    }
}

void pack_word(struct pack *pack, uint64_t word)
{
    uint8_t *to = room(pack, sizeof word);
    for (unsigned shift = 0; shift < 64; shift += 8)
        *to++ = (uint8_t)(word >> shift);
    pack->size += (uint32_t)sizeof word;
}

void pack_number(struct pack *pack, uint64_t number)
{
    uint8_t *to = room(pack, 10);
    for (; number >= 128; number >>= 7, pack->size++)
        *to++ = (uint8_t)(number | 128);
    *to = (uint8_t)number;
    pack->size++;
}

void pack_step(struct pack *pack, uint64_t from, uint64_t to)
{
    pack_number(pack, to >= from ? (to - from) << 1 : ((from - to) << 1) - 1);
}

bool pack_end(struct pack *pack)
{
    zip(pack, Z_FINISH);
    put_zipped(pack);
    if (pack->pieces > 0)
        fxt_out_text(pack->out, "</script>\n");
    deflateEnd(&pack->deflate);
    if (pack->failed)
        message("html: cannot compress");
    return !pack->failed;
}
