/* Images of a provider's buffer, made from an input; and a second implementation of finding the
   records in them, written from sections 1.3 and 1.4 of spec/system.md. */
#ifndef FXT_FUZZ_IMAGE_H
#define FXT_FUZZ_IMAGE_H

#include <fxt/buffer.h>

/* An input is a row of records, so the mutator of records works on it. The first is a metadata record
   of three words. Its first word is not looked at. The others say what no record says:

     byte  8   bits 0 and 1: buffering mode. Then flags, enum fuzz_image_flag
     byte  9   wrapped count
     byte 10   data ends of the durable part, half 0 and half 1 in words, two bytes each
     byte 16   records dropped; definitions inlined
     byte 18   for the target

   The other words go to the parts in the order of their places. A part begins at FUZZ_NEXT_PART, and
   a chunk at FUZZ_NEXT_CHUNK, two metadata records that no trace has. */
#define FUZZ_IMAGE_HEAD 24u
#define FUZZ_IMAGE_MAX 65536u

#define FUZZ_NEXT_PART UINT64_C(0xd0010)
#define FUZZ_NEXT_CHUNK UINT64_C(0xc0010)

enum fuzz_image_flag {
    FUZZ_IMAGE_RAW = 4,    /* the input is the image, header included */
    FUZZ_IMAGE_KEPT = 8,   /* the header says that the data ends are kept */
    FUZZ_IMAGE_ENDS = 16,  /* each data end is where the words of that part end */
    FUZZ_IMAGE_LARGE = 32, /* FUZZ_IMAGE_MAX bytes, else FXT_BUFFER_BYTES_MIN */
};

/* Fills `image` and returns its size. 0: the input is too small or too large, or has no mode. */
size_t fuzz_image(uint8_t image[FUZZ_IMAGE_MAX], const uint8_t *bytes, size_t size);

/* Reads the fields of a header that keeps BUF-01 to BUF-07, from the table of section 1.1. */
struct fxt_buffer_header fuzz_header(const uint8_t *image);

/* Records of an image, in the order in which they are found. Offsets in the image, in bytes. */
struct fuzz_found {
    size_t count;
    struct {
        uint64_t offset;
        uint64_t words;
    } records[FUZZ_IMAGE_MAX / 8];
};

/* Adds the records of the range that begins at `begin` to `found`. chunk_bytes is 0 in the durable
   part. */
void fuzz_find_records(struct fuzz_found *found, const uint8_t *image, uint64_t begin,
                       uint64_t size, uint64_t chunk_bytes);

/* BUF-10. */
uint64_t fuzz_chunk_bytes(uint64_t room);

#endif
