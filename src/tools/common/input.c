/* Files, pipes and stdin. A struct input owns its descriptor, its piece of raw bytes and its
   decoder. stream.c and the assembler command read from it; nothing else in the tool opens or
   reads a file. */
#include "src/tools/common/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/progress.h"

static bool fail(struct input *input)
{
    message("%s: %s", input->name, strerror(errno));
    input->failed = true;
    return false;
}

/* One read of the file. 0: the end or an error. */
static size_t read_file(struct input *input, uint8_t *to, size_t size)
{
    for (;;) {
        ssize_t got = read(input->fd, to, size);
        if (got >= 0) {
            input->read += (uint64_t)got;
            progress_update(input->read);
            return (size_t)got;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd wait = {.fd = input->fd, .events = POLLIN};
            poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            fail(input);
            return 0;
        }
    }
}

bool input_fill(struct input *input)
{
    if (input->raw_ended)
        return false;
    if (input->raw_begin > 0) {
        memmove(input->raw, input->raw + input->raw_begin, input->raw_end - input->raw_begin);
        input->raw_end -= input->raw_begin;
        input->raw_begin = 0;
    }
    size_t got = read_file(input, input->raw + input->raw_end, INPUT_RAW_BYTES - input->raw_end);
    if (got == 0)
        input->raw_ended = true;
    input->raw_end += got;
    return got > 0;
}

static enum input_codec sniff(const uint8_t *bytes, size_t size)
{
    static const uint8_t gzip[] = {0x1f, 0x8b, 0x08};
    static const uint8_t zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    static const uint8_t skippable[] = {0x2a, 0x4d, 0x18}; /* after 0x50 … 0x5f */
    if (size >= 4 && memcmp(bytes, gzip, sizeof gzip) == 0 && (bytes[3] & 0xe0) == 0)
        return INPUT_GZIP;
    if (size >= 4 && memcmp(bytes, zstd, sizeof zstd) == 0)
        return INPUT_ZSTD;
    if (size >= 4 && (bytes[0] & 0xf0) == 0x50 &&
        memcmp(bytes + 1, skippable, sizeof skippable) == 0)
        return INPUT_ZSTD;
    return INPUT_PLAIN;
}

static bool open_file(struct input *input, const char *path, uint64_t *size)
{
    struct stat status;
    if (strcmp(path, "-") == 0) {
        input->name = "<stdin>";
        input->fd = STDIN_FILENO;
    } else {
        input->name = path;
        do
            input->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        while (input->fd < 0 && errno == EINTR);
        if (input->fd < 0)
            return fail(input);
    }
    if (fstat(input->fd, &status) != 0)
        return fail(input);
    if (S_ISDIR(status.st_mode)) {
        errno = EISDIR;
        return fail(input);
    }
    if (S_ISREG(status.st_mode)) {
        *size = (uint64_t)status.st_size;
        posix_fadvise(input->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    }
    return true;
}

bool input_open(struct input *input, const char *path, bool as_it_is)
{
    uint64_t size = 0;
    *input = (struct input){.fd = -1};
    if (!open_file(input, path, &size)) {
        input_close(input);
        return false;
    }
    input->raw = malloc(INPUT_RAW_BYTES);
    if (input->raw == NULL) {
        fail(input);
        input_close(input);
        return false;
    }
    progress_begin(input->name, size);
    if (as_it_is)
        return true;
    while (input->raw_end < 4 && input_fill(input))
        ;
    input->codec = sniff(input->raw, input->raw_end);
    if (input->codec != INPUT_PLAIN && !input_decoder_open(input)) {
        input_close(input);
        return false;
    }
    return true;
}

static size_t read_plain(struct input *input, uint8_t *to, size_t size)
{
    size_t ready = input->raw_end - input->raw_begin;
    if (ready == 0)
        return input->raw_ended ? 0 : read_file(input, to, size);
    if (ready > size)
        ready = size;
    memcpy(to, input->raw + input->raw_begin, ready);
    input->raw_begin += ready;
    return ready;
}

size_t input_read(struct input *input, uint8_t *to, size_t size)
{
    if (size == 0 || (input->failed && input->codec != INPUT_PLAIN))
        return 0;
    switch (input->codec) {
    case INPUT_GZIP:
        return input_read_gzip(input, to, size);
    case INPUT_ZSTD:
        return input_read_zstd(input, to, size);
    case INPUT_PLAIN:
        break;
    }
    return read_plain(input, to, size);
}

void input_close(struct input *input)
{
    progress_end();
    if (input->decoder != NULL)
        input_decoder_close(input);
    free(input->raw);
    if (input->fd > STDIN_FILENO)
        close(input->fd);
    *input = (struct input){.fd = -1};
}
