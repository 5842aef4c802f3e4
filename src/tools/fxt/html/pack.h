/* Bytes to gzip to base64 to <script> elements: how the page of fxt html holds its data. */
#ifndef FXT_TOOLS_FXT_HTML_PACK_H
#define FXT_TOOLS_FXT_HTML_PACK_H

#include <zlib.h>

#include <fxt/record.h>

#include "src/convert/out.h"
#include "src/tools/fxt/html/page.h"

#define PACK_PLAIN_BYTES 65536u
#define PACK_ZIPPED_BYTES 49152u /* a multiple of 3 */

struct pack {
    struct fxt_out *out;
    int number;
    z_stream deflate;
    uint32_t pieces; /* of PACK_ZIPPED_BYTES in the element that is open; 0: none is */
    uint32_t size;   /* of plain */
    bool failed;
    uint8_t plain[PACK_PLAIN_BYTES];
    uint8_t zipped[PACK_ZIPPED_BYTES];
};

/* number: of the trace in the page, from 0. False after a message if there is no memory; then there
   is nothing to end. */
bool pack_begin(struct pack *pack, struct fxt_out *out, int number);

/* What follows is noise, such as times: to look for repetitions takes time, and finds none. */
void pack_expect(struct pack *pack, bool noise);

void pack_bytes(struct pack *pack, struct fxt_bytes bytes);
void pack_word(struct pack *pack, uint64_t word);     /* 8 bytes, little endian */
void pack_number(struct pack *pack, uint64_t number); /* LEB128 */

/* The difference of two numbers below 2^63, zigzag. */
void pack_step(struct pack *pack, uint64_t from, uint64_t to);

/* Writes the rest. False after a message if compression failed. */
bool pack_end(struct pack *pack);

/* The levels of detail of the page: of every LEVEL_GROUP neighbours the one that stands for all
   when they share a pixel. */

#define LEVEL_GROUP 16u

/* Whether b stands for a and b. */
typedef bool level_wins(const struct item *a, const struct item *b);

level_wins level_longest;
level_wins level_greatest; /* of samples */
level_wins level_least;

/* For each group of the items, then for each group of these groups, and so on up to one group: the
   number in its group of the one that wins. numbers: room for one of each group. */
void levels_pack(struct pack *pack, const struct items *items, uint32_t *numbers, level_wins *wins);

/* The data of the page: a header of JSON on one line, then columns of numbers. See columns.c. */

/* notes: lines of what is odd or left out. False if there is no memory. */
bool columns_pack(struct pack *pack, struct page *page, const char *const *notes,
                  uint32_t note_count);

#endif
