/* Walks the segments of a core dump. A provider's buffer is a mapping of its own, so a segment
   begins with it. The state is struct core. Nothing of the file is trusted. */
#include "src/tools/fxt/core.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fxt/buffer.h>

#include "src/cli/message.h"
#include "src/cli/filetype.h"

static void fail(struct core *core, const char *what, const char *why)
{
    if (!core->failed)
        message("%s: %s: %s", core->name, what, why);
    core->failed = true;
}

/* Reads all of the bytes at that offset. False: the file ends before, or an error, after a message. */
static bool read_at(struct core *core, void *to, size_t size, uint64_t offset)
{
    size_t got = 0;
    while (got < size && offset <= INT64_MAX - got) {
        ssize_t part = pread(core->fd, (char *)to + got, size - got, (off_t)(offset + got));
        if (part < 0 && errno == EINTR)
            continue;
        if (part < 0)
            fail(core, "read error", strerror(errno));
        if (part <= 0)
            return false;
        got += (size_t)part;
    }
    return got == size;
}

static bool is_core(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_type == ET_CORE && header->e_phentsize == sizeof(Elf64_Phdr);
}

/* With 65535 segments or more, the first section header has their number. */
static uint32_t count_of(struct core *core, const Elf64_Ehdr *header)
{
    Elf64_Shdr section;
    if (header->e_phnum != PN_XNUM)
        return header->e_phnum;
    if (!read_at(core, &section, sizeof section, header->e_shoff))
        return 0;
    return section.sh_info;
}

/* Only a regular file is opened: what a FIFO holds is read once. */
bool core_open(struct core *core, const char *path)
{
    Elf64_Ehdr header;
    struct stat status;
    *core = (struct core){.name = path};
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    core->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (core->fd < 0)
        return false;
    bool has_header = read_at(core, &header, sizeof header, 0);
    if (core->failed)
        return true;
    if (!has_header || !is_core(&header)) {
        close(core->fd);
        return false;
    }
    core->table = header.e_phoff;
    core->count = count_of(core, &header);
    return true;
}

static const char no_buffer[] = "cannot read a trace buffer of this core dump";

/* The dump does not hold what its headers say. */
static bool miss(struct core *core, const char *why)
{
    message("%s: %s: %s", core->name, no_buffer, why);
    core->misses = true;
    return false;
}

static bool read_segment(struct core *core, const Elf64_Phdr *segment, struct core_buffer *buffer)
{
    if (segment->p_filesz > FXT_BUFFER_BYTES_MAX)
        return miss(core, "its mapping is larger than any buffer");
    buffer->size = (size_t)segment->p_filesz;
    buffer->bytes = malloc(buffer->size);
    if (buffer->bytes == NULL) {
        fail(core, no_buffer, strerror(ENOMEM));
        return false;
    }
    if (read_at(core, buffer->bytes, buffer->size, segment->p_offset))
        return true;
    free(buffer->bytes);
    return !core->failed && miss(core, "the file ends before it; the dump was cut");
}

static bool is_buffer(struct core *core, const Elf64_Phdr *segment)
{
    uint8_t bytes[FXT_BUFFER_HEADER_BYTES];
    return segment->p_type == PT_LOAD && segment->p_filesz >= sizeof bytes &&
           read_at(core, bytes, sizeof bytes, segment->p_offset) &&
           filetype_is_buffer(bytes, sizeof bytes);
}

bool core_next(struct core *core, struct core_buffer *buffer)
{
    Elf64_Phdr segment;
    while (!core->failed && core->next < core->count) {
        uint64_t offset = core->table + sizeof segment * (uint64_t)core->next++;
        if (offset < core->table || !read_at(core, &segment, sizeof segment, offset))
            return false;
        if (is_buffer(core, &segment) && read_segment(core, &segment, buffer))
            return true;
    }
    return false;
}

void core_close(struct core *core)
{
    close(core->fd);
}
