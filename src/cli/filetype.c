/* Recognizes a file by its first bytes. No state. Called when a file is opened: a user who gives
   the wrong file needs one message, not thousands of malformed records. */
#include "src/cli/filetype.h"

#include <string.h>

#include <fxt/buffer.h>
#include <fxt/record.h>

#define TEXT_BYTES_MIN 16u /* a trace may consist of that many letters */

static const struct {
    const char *begin;
    size_t size;
    const char *name;
} magics[] = {
    {"\x7f"
     "ELF\2\1\1\0\0\0\0\0\0\0\0\0\4",
     17, "a core dump, which 'fxt salvage' takes from a plain file"},
    {"\x7f"
     "ELF",
     4, "an ELF file"},
    {"\x1f\x8b\x08", 3, "a gzip file"},
    {"\x28\xb5\x2f\xfd", 4, "a zstd file"},
    {"\xfd"
     "7zXZ",
     5, "an xz file"},
    {"BZh", 3, "a bzip2 file"},
    {"PK\x03\x04", 4, "a zip file"},
    {"PERFILE2", 8, "a perf.data file"},
    {"\x17\x08\x44"
     "tracing",
     10, "a trace.dat file of trace-cmd"},
    {"\xc1\x1f\xfc\xc1", 4, "a CTF trace"},
    {"\x89PNG", 4, "a PNG image"},
    {"%PDF-", 5, "a PDF file"},
    {"SQLite format 3", 15, "an SQLite database"},
};

/* The length of a varint of at most 5 bytes, or 0. */
static size_t read_varint(uint64_t *number, const uint8_t *bytes, size_t size)
{
    *number = 0;
    for (size_t i = 0; i < size && i < 5; i++) {
        *number |= (uint64_t)(bytes[i] & 127) << 7 * i;
        if (bytes[i] < 128)
            return i + 1;
    }
    return 0;
}

/* Repeated length-delimited fields 1: the packets of a Perfetto trace. A profiler record begins
   with the same byte, but its size in bits 4 to 15 is at least 2. */
static bool is_perfetto(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    unsigned packets = 0;
    while (at < size && bytes[at] == 0x0a) {
        uint64_t length;
        size_t digits = read_varint(&length, bytes + at + 1, size - at - 1);
        if (digits == 0 || length < 2 || length > UINT32_MAX)
            return false;
        size_t inside = at + 1 + digits;
        if (inside >= size || (bytes[inside] & 7) > 5 || bytes[inside] < 8)
            return false;
        packets++;
        at = inside + (size_t)length;
    }
    return packets > 1 || (packets == 1 && at > size);
}

/* One or more lines of UTF-8; the last sequence may be cut. */
static bool is_text(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if ((bytes[i] < 32 && strchr("\t\n\r\f", bytes[i]) == NULL) || bytes[i] == 0 ||
            bytes[i] == 127)
            return false;
    for (size_t cut = 0; cut < 4 && cut < size; cut++)
        if (fxt_utf8_valid(bytes, size - cut))
            return size >= TEXT_BYTES_MIN || bytes[size - 1] == '\n';
    return false;
}

static bool is_json(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    while (at < size && strchr(" \t\n\r", bytes[at]) != NULL && bytes[at] != 0)
        at++;
    return at < size && (bytes[at] == '{' || bytes[at] == '[');
}

/* Members that every Chrome trace has near its begin. */
static bool is_chrome(const uint8_t *bytes, size_t size)
{
    return memmem(bytes, size, "\"traceEvents\"", 13) != NULL ||
           memmem(bytes, size, "\"ph\"", 4) != NULL;
}

static const char *text_name(const uint8_t *bytes, size_t size)
{
    if (!is_json(bytes, size))
        return "text";
    return is_chrome(bytes, size) ? "Chrome JSON" : "JSON";
}

/* Whether the bytes begin with that word. */
static bool begins_with(const uint8_t *bytes, size_t size, uint64_t word)
{
    for (size_t i = 0; i < 8; i++)
        if (i >= size || bytes[i] != (word >> 8 * i & 255))
            return false;
    return true;
}

bool filetype_is_buffer(const uint8_t *bytes, size_t size)
{
    return begins_with(bytes, size, FXT_BUFFER_MAGIC);
}

const char *filetype_of(const uint8_t *bytes, size_t size)
{
    if (size == 0 || begins_with(bytes, size, FXT_MAGIC))
        return NULL;
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (size >= magics[i].size && memcmp(bytes, magics[i].begin, magics[i].size) == 0)
            return magics[i].name;
    if (is_perfetto(bytes, size))
        return "a Perfetto trace";
    if (!is_text(bytes, size))
        return NULL;
    return text_name(bytes, size);
}
