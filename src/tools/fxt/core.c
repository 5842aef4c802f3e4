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
#include "src/tools/common/looks.h"

/* How many of the bytes there are at that offset; fewer than `size` only at the end of the file, or
   after an error, which errno then names. */
static size_t read_at(const struct core *core, void *to, size_t size, uint64_t offset)
{
    size_t got = 0;
    errno = 0;
    while (got < size && offset <= INT64_MAX - got) {
        ssize_t part = pread(core->fd, (char *)to + got, size - got, (off_t)(offset + got));
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            break;
        got += (size_t)part;
    }
    return got;
}

static bool is_core(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64 && header->e_ident[EI_DATA] == ELFDATA2LSB &&
           header->e_type == ET_CORE && header->e_phentsize == sizeof(Elf64_Phdr);
}

/* With 65535 segments or more, the first section header has their number. */
static uint32_t count_of(const struct core *core, const Elf64_Ehdr *header)
{
    Elf64_Shdr section;
    if (header->e_phnum != PN_XNUM)
        return header->e_phnum;
    if (read_at(core, &section, sizeof section, header->e_shoff) < sizeof section)
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
    if (read_at(core, &header, sizeof header, 0) < sizeof header || !is_core(&header)) {
        close(core->fd);
        return false;
    }
    core->table = header.e_phoff;
    core->count = count_of(core, &header);
    return true;
}

static bool fail(struct core *core, const char *why)
{
    message("%s: cannot read a trace buffer of this core dump: %s", core->name, why);
    core->failed = true;
    return false;
}

static bool read_segment(struct core *core, const Elf64_Phdr *segment, struct core_buffer *buffer)
{
    if (segment->p_filesz > FXT_BUFFER_BYTES_MAX)
        return fail(core, "its mapping is larger than any buffer");
    buffer->size = (size_t)segment->p_filesz;
    buffer->bytes = malloc(buffer->size);
    if (buffer->bytes == NULL)
        return fail(core, "out of memory");
    if (read_at(core, buffer->bytes, buffer->size, segment->p_offset) == buffer->size)
        return true;
    free(buffer->bytes);
    return fail(core, errno != 0 ? strerror(errno) : "the file ends before it; the dump was cut");
}

static bool is_buffer(const struct core *core, const Elf64_Phdr *segment)
{
    uint8_t bytes[FXT_BUFFER_HEADER_BYTES];
    return segment->p_type == PT_LOAD && segment->p_filesz >= sizeof bytes &&
           read_at(core, bytes, sizeof bytes, segment->p_offset) == sizeof bytes &&
           looks_like_buffer(bytes, sizeof bytes);
}

bool core_next(struct core *core, struct core_buffer *buffer)
{
    Elf64_Phdr segment;
    while (!core->failed && core->next < core->count) {
        uint64_t offset = core->table + sizeof segment * (uint64_t)core->next++;
        if (offset < core->table ||
            read_at(core, &segment, sizeof segment, offset) < sizeof segment)
            return false;
        if (is_buffer(core, &segment))
            return read_segment(core, &segment, buffer);
    }
    return false;
}

void core_close(struct core *core)
{
    close(core->fd);
}
