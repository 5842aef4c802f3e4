/* All small events: every event type with up to two arguments of every type, of every size around the
   right one, with names and flags of each sort, in records of every length around the right one.
   They stand in a trace in which their references resolve, so that the checker meets them on its
   short way, if they are plain; what it says is held against the decoder, the canonical form and the
   edition. A fuzzer finds coincidences of three fields too rarely. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/lib/generate.h"

struct trace {
    uint8_t *bytes;
    size_t size;
    size_t capacity;
};

static void word(struct trace *trace, uint64_t value)
{
    if (trace->size + 8 > trace->capacity) {
        trace->capacity = 2 * trace->capacity + 4096;
        trace->bytes = realloc(trace->bytes, trace->capacity);
        FUZZ_CHECK(trace->bytes != NULL);
    }
    for (unsigned i = 0; i < 8; i++)
        trace->bytes[trace->size++] = (uint8_t)(value >> (8 * i));
}

/* Magic, strings 1 "a" and 2 "", thread 1, an event on it. The first bytes, and so the koid, choose
   the edition and the memory of the checker. */
static void begin(struct trace *trace, uint64_t koid)
{
    trace->size = 0;
    word(trace, UINT64_C(0x0016547846040010));
    word(trace, 2 | 2 << 4 | 1 << 16 | UINT64_C(1) << 32);
    word(trace, 'a');
    word(trace, 2 | 1 << 4 | 2 << 16);
    word(trace, 3 | 3 << 4 | 1 << 16);
    word(trace, 1);
    word(trace, koid);
    word(trace, 4 | 2 << 4 | 1 << 24 | UINT64_C(1) << 32 | UINT64_C(1) << 48);
    word(trace, 5);
}

/* `words` words: header, timestamp, then the argument's header and words that mean little. */
static void event(struct trace *trace, uint64_t type, uint64_t count, uint64_t words, uint64_t arg)
{
    word(trace, 4 | words << 4 | type << 16 | count << 20 | 1 << 24 | UINT64_C(1) << 32 |
                    UINT64_C(1) << 48);
    for (uint64_t i = 1; i < words; i++)
        word(trace, i == 1 ? 5 : i == 2 || (i == 4 && count == 2) ? arg : 6);
}

static void check_type(struct trace *trace, uint64_t type, uint64_t count, uint64_t koid)
{
    static const uint16_t names[] = {0, 1, 2, 3, 0x8000, 0x8001};
    static const uint32_t data[] = {0, 1, 2, 3, 0x8001, 0x10000, 0x80000000};

    begin(trace, koid);
    for (uint64_t arg = 0; arg < 16; arg++)
        for (uint64_t size = 0; size < 4; size++)
            for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
                for (size_t d = 0; d < sizeof data / sizeof data[0]; d++)
                    for (uint64_t words = 2; words < 8; words++)
                        event(trace, type, count, words,
                              arg | size << 4 | (uint64_t)names[n] << 16 | (uint64_t)data[d] << 32);
    fuzz_oracle_check(trace->bytes, trace->size);
}

int main(void)
{
    struct trace trace = {NULL, 0, 0};
    for (uint64_t type = 0; type < 16; type++)
        for (uint64_t count = 0; count < 3; count++)
            for (uint64_t koid = 0; koid < 6; koid++)
                check_type(&trace, type, count, koid);
    fuzz_oracle_read(trace.bytes, trace.size);
    fuzz_oracle_roundtrip(trace.bytes, trace.size);
    free(trace.bytes);
    return 0;
}
