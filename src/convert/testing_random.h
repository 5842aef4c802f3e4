/* For the tests of this room: traces at random, the same in every run. */
#ifndef FXT_CONVERT_TESTING_RANDOM_H
#define FXT_CONVERT_TESTING_RANDOM_H

#include <fxt/record.h>

#include "src/base/word.h"

static uint64_t testing_seed = 1;

static inline uint64_t testing_random(void)
{
    testing_seed ^= testing_seed << 13;
    testing_seed ^= testing_seed >> 7;
    testing_seed ^= testing_seed << 17;
    return testing_seed * UINT64_C(0x2545f4914f6cdd1d);
}

/* Numbers that are often small, often at a limit. */
static inline uint64_t testing_likely_number(void)
{
    uint64_t number = testing_random();
    switch (testing_random() % 8) {
    case 0:
        return 0;
    case 1:
        return number % 4;
    case 2:
        return number % 256;
    case 3:
        return UINT64_MAX - number % 3;
    case 4:
        return UINT64_C(0x6161616161616161) >> (8 * (number % 8));
    case 5:
        return number % 16 << 32;
    default:
        return number;
    }
}

/* A header whose fields are likely to make sense: sizes of a few words, small refs. */
static inline uint64_t testing_likely_header(uint64_t type, uint64_t words)
{
    uint64_t header = type | words << 4;
    uint64_t pick = testing_random();
    if (type == FXT_RECORD_LARGE)
        return header | (pick % 8 == 0 ? pick % 16 << 36 : 0) | (pick / 8 % 4) % 3 << 40;
    for (unsigned lo = 16; lo < 64; lo += 4)
        if (testing_random() % 3 == 0)
            header |= (testing_random() % (testing_random() % 4 == 0 ? 16 : 3)) << lo;
    if (pick % 4 == 0)
        header |= UINT64_C(1) << (pick / 4 % 64);
    if (pick % 3 == 0)
        header |= UINT64_C(0x8000) << 48;
    return header;
}

static inline uint64_t testing_likely_trace(uint8_t *bytes, uint64_t max_words)
{
    uint64_t at = 0;
    while (at + 12 <= max_words && testing_random() % 40 != 0) {
        uint64_t words = 1 + testing_random() % 10;
        fxt_store_word(bytes + 8 * at, testing_likely_header(testing_random() % 16, words));
        for (uint64_t i = 1; i < words; i++) {
            uint64_t word =
                testing_random() % 3 == 0
                    ? testing_likely_header(testing_random() % 12, 1 + testing_random() % 3)
                    : testing_likely_number();
            fxt_store_word(bytes + 8 * (at + i), word);
        }
        at += words;
    }
    return 8 * at + testing_random() % 8;
}

/* A trace with every kind of record. */
static const char testing_all_kinds[] =
    "magic\nprovider_info provider_id=1 name=\"alpha\"\nprovider_section provider_id=1\n"
    "provider_event provider_id=1 event_id=buffer_full\n"
    "initialization ticks_per_second=1000000000\nstring index=1 value=\"cat\"\n"
    "thread index=1 process=100 thread=200\n"
    "event instant timestamp=7 thread=@1 category=@1 name=\"x\" scope=process { @1 int32 -5, "
    "\"k\" string \"value\", \"d\" double 2.5, \"n\" null, \"b\" bool true, \"y\" blob x\"0102\" "
    "}\n"
    "event counter timestamp=7 thread=1/2 category=\"c\" name=@1 id=5 { \"v\" uint64 4 }\n"
    "event duration_complete timestamp=7 thread=@1 category=@1 name=@1 end=9\n"
    "blob blob_type=data name=\"blob\" payload=x\"00ff\"\n"
    "userspace_object pointer=0x1 process=3 name=\"o\" { @2 pointer 0x5 }\n"
    "kernel_object object_type=process koid=9 name=\"p\" { \"process\" koid 8 }\n"
    "legacy_switch timestamp=1 cpu=3 outgoing_state=blocked outgoing_thread=@1 "
    "incoming_thread=5/6 outgoing_priority=7 incoming_priority=8\n"
    "context_switch timestamp=1 cpu=2 outgoing_state=dead outgoing_thread=5 incoming_thread=6\n"
    "thread_wakeup timestamp=1 cpu=2 waking_thread=5 { \"weight\" int32 1 }\n"
    "log timestamp=1 thread=@2 message=\"a line\"\n"
    "module timestamp=1 thread=5/0 module_id=2 name=\"libc\" build_id=x\"abcd\"\n"
    "mmap timestamp=1 thread=5/0 module_id=2 start_address=0x1000 address_range=1 vaddr=0\n"
    "backtrace timestamp=1 thread=@1 frames=[0x1000,0x2000]\n"
    "large_blob blob_format=0 category=@1 name=\"n\" timestamp=3 thread=1/2 payload=x\"010203\"\n"
    "large_blob blob_format=1 category=@1 name=\"n\" payload=x\"010203\"\n";

#endif
