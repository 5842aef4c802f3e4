/* Other copies of the trace engine in this process. Two copies do not know each other: what is traced
   through the copy of a library is lost while the provider belongs to that of the program. Each copy
   has an ELF note in its object (src/engine/engine.c), by which this one finds the others.

   Only the dispatcher looks for them, or the thread that destroys the provider in its place. */
#include <elf.h>
#include <errno.h>
#include <link.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/engine/engine.h"
#include "src/provider/provider.h"

#define PATH_BYTES 300 /* a longer path is cut */

/* Whether the notes have that of an engine. */
static bool have_engine(const uint8_t *notes, size_t size, size_t align)
{
    const size_t most = align > 4 ? align - 1 : 3;

    for (size_t at = 0; size - at >= sizeof(ElfW(Nhdr));) {
        ElfW(Nhdr) note;
        memcpy(&note, notes + at, sizeof note);
        size_t name = at + sizeof note;
        size_t end = name + ((note.n_namesz + most) & ~most) + ((note.n_descsz + most) & ~most);
        if (end < name || end > size)
            return false;
        if (note.n_namesz == sizeof FXT_I_NOTE && note.n_type == FXT_I_NOTE_ENGINE &&
            memcmp(notes + name, FXT_I_NOTE, sizeof FXT_I_NOTE) == 0)
            return true;
        at = end;
    }
    return false;
}

struct found {
    char path[PATH_BYTES];
    bool is_any;
};

/* The path may be any bytes. */
static void take_path(struct found *found, const char *path)
{
    snprintf(found->path, sizeof found->path, "%s", path[0] != '\0' ? path : "the program");
    for (char *at = found->path; *at != '\0'; at++)
        if (*at < ' ' || *at > '~')
            *at = '?';
    found->is_any = true;
}

static int look(struct dl_phdr_info *object, size_t size, void *data)
{
    bool has_engine = false;
    bool is_own = false;

    (void)size;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t begin = object->dlpi_addr + part->p_vaddr;
        if (part->p_type == PT_LOAD)
            is_own = is_own || (uintptr_t)&fxt_i_engine - begin < part->p_memsz;
        if (part->p_type == PT_NOTE)
            has_engine = has_engine ||
                         have_engine((const uint8_t *)begin, part->p_memsz, (size_t)part->p_align);
    }
    if (!has_engine || is_own)
        return 0;
    take_path(data, object->dlpi_name);
    return 1;
}

/* Whether descriptor 2 is what the program called its standard error when it made its provider, and takes
   a line now: it may be a file of the program by now, or a pipe that is full or closed. */
static bool may_write(const trace_provider_t *provider)
{
    struct stat now;
    struct pollfd it = {.fd = STDERR_FILENO, .events = POLLOUT};

    return fstat(STDERR_FILENO, &now) == 0 && now.st_dev == provider->error_device &&
           now.st_ino == provider->error_inode && poll(&it, 1, 0) == 1 && it.revents == POLLOUT;
}

void fxt_i_copies_begin(trace_provider_t *provider)
{
    struct stat now = {.st_ino = 0};

    fstat(STDERR_FILENO, &now);
    provider->error_device = now.st_dev;
    provider->error_inode = now.st_ino;
}

/* Apart from fxt_i_closed_tell, this library prints nothing else. Whoever records would miss the
   events without a reason, and the trace has no place for it. */
void fxt_i_copies_tell(const trace_provider_t *provider)
{
    static bool told;
    struct found found = {.is_any = false};

    if (told || !may_write(provider))
        return;
    dl_iterate_phdr(look, &found);
    told = found.is_any;
    if (told)
        dprintf(STDERR_FILENO,
                "%s: %s has another copy of the trace engine; what is traced through that copy is "
                "recorded only if it has a provider of its own: link the program and its libraries "
                "with one libfxtref-trace.so\n",
                program_invocation_short_name, found.path);
}

void fxt_i_closed_tell(const trace_provider_t *provider)
{
    if (may_write(provider))
        dprintf(
            STDERR_FILENO,
            "%s: the program has closed the descriptors of its trace provider, which ends its part "
            "of the recording; close only the descriptors that you opened, or trace afterwards\n",
            program_invocation_short_name);
}
