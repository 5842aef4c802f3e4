/* Notes lie in a temporary file that is mapped: a long trace takes room on the disk, and the system
   takes the memory back when it is short. The file is allocated before it is written, so that a full
   disk is an error and no signal. */
#include "src/tools/fxt/edit/notes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/cli/message.h"
#include "src/cli/size.h"
#include "src/cli/temporary.h"

#define FIRST_BYTES TOOL_SIZE(UINT64_C(64) << 10)

bool notes_open(struct notes *notes, const char *file)
{
    *notes = (struct notes){.file = file, .fd = temporary_open(file)};
    return notes->fd >= 0;
}

static bool grow(struct notes *notes, uint64_t size)
{
    int why = posix_fallocate(notes->fd, 0, (off_t)size);
    void *it = MAP_FAILED;
    if (why == 0) {
        it = notes->it == NULL
                 ? mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, notes->fd, 0)
                 : mremap(notes->it, (size_t)notes->size, (size_t)size, MREMAP_MAYMOVE);
        why = errno;
    }
    if (it == MAP_FAILED) {
        message("%s: no room for notes of %llu bytes: %s", notes->file, (unsigned long long)size,
                strerror(why));
        notes->failed = true;
        return false;
    }
    notes->it = it;
    notes->size = size;
    return true;
}

void notes_add(struct notes *notes, uint64_t index, uint8_t bits)
{
    if (notes->failed)
        return;
    if (index >= notes->size && !grow(notes, notes->size == 0 ? FIRST_BYTES : 2 * notes->size))
        return;
    notes->it[index] |= bits;
}

void notes_close(struct notes *notes)
{
    if (notes->it != NULL)
        munmap(notes->it, (size_t)notes->size);
    if (notes->fd >= 0)
        close(notes->fd);
    *notes = (struct notes){.fd = -1};
}
