/* See outlet.h. */
#include "fuzz/session/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/lib/judge.h"
#include "fuzz/session/actor.h"

#define SMALL 4096 /* bytes that a socket or a pipe holds, if the kernel lets it */

static int reopened(int file, int flags)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int it = open(path, flags | O_CLOEXEC);
    FUZZ_CHECK(it >= 0);
    return it;
}

static void make_ends(struct fuzz_outlet *outlet, int ends[2])
{
    const int small = SMALL;

    switch (outlet->kind) {
    case FUZZ_OUTLET_SOCKET:
        FUZZ_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
        setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
        break;
    case FUZZ_OUTLET_PIPE:
        FUZZ_CHECK(pipe2(ends, O_CLOEXEC) == 0);
        fcntl(ends[0], F_SETPIPE_SZ, SMALL);
        break;
    case FUZZ_OUTLET_EVENTS:
        ends[0] = eventfd(0, EFD_CLOEXEC);
        ends[1] = dup(ends[0]);
        break;
    default:
        ends[0] = memfd_create("archive", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        ends[1] = reopened(ends[0], outlet->kind == FUZZ_OUTLET_READ_ONLY ? O_RDONLY : O_WRONLY);
        break;
    }
    FUZZ_CHECK(ends[0] >= 0 && ends[1] >= 0);
}

void fuzz_outlet_open(struct fuzz_outlet *outlet, enum fuzz_outlet_kind kind, int *given)
{
    struct stat it;
    int ends[2];

    memset(outlet, 0, sizeof *outlet);
    outlet->kind = kind;
    make_ends(outlet, ends);
    outlet->reader = ends[0];
    outlet->harmed = kind >= FUZZ_OUTLET_READ_ONLY;
    if (kind == FUZZ_OUTLET_FULL)
        fcntl(ends[0], F_ADD_SEALS, F_SEAL_GROW);
    FUZZ_CHECK(fstat(ends[1], &it) == 0);
    outlet->device = it.st_dev;
    outlet->inode = it.st_ino;
    *given = ends[1];
}

static void make_room(struct fuzz_outlet *outlet)
{
    if (outlet->size < outlet->room)
        return;
    outlet->room = outlet->room != 0 ? 2 * outlet->room : 1 << 16;
    outlet->bytes = realloc(outlet->bytes, outlet->room);
    FUZZ_CHECK(outlet->bytes != NULL);
}

static ssize_t read_some(const struct fuzz_outlet *outlet, uint8_t *bytes, size_t size)
{
    if (outlet->kind == FUZZ_OUTLET_SOCKET)
        return recv(outlet->reader, bytes, size, MSG_DONTWAIT);
    if (outlet->kind == FUZZ_OUTLET_FILE)
        return pread(outlet->reader, bytes, size, (off_t)outlet->size);
    int pending = fcntl(outlet->reader, F_GETFL);
    fcntl(outlet->reader, F_SETFL, pending | O_NONBLOCK);
    return read(outlet->reader, bytes, size);
}

void fuzz_outlet_read(struct fuzz_outlet *outlet, size_t most)
{
    while (outlet->reader >= 0 && outlet->kind <= FUZZ_OUTLET_PIPE && most > 0) {
        make_room(outlet);
        size_t room = outlet->room - outlet->size;
        ssize_t got = read_some(outlet, outlet->bytes + outlet->size, most < room ? most : room);
        if (got <= 0)
            return;
        outlet->size += (size_t)got;
        most -= (size_t)got;
    }
}

void fuzz_outlet_harm(struct fuzz_outlet *outlet)
{
    outlet->harmed = true;
    if (outlet->kind != FUZZ_OUTLET_FILE && outlet->reader >= 0) {
        close(outlet->reader);
        outlet->reader = -1;
    }
}

/* The provider of which the records are: its number is in its name. */
struct owner {
    uint32_t ids[FUZZ_ACTORS + 1];
    unsigned count;
    unsigned current; /* index of ids */
    unsigned numbers[FUZZ_ACTORS + 1];
};

static void choose(struct owner *owner, uint32_t id)
{
    owner->current = 0;
    while (owner->current < owner->count && owner->ids[owner->current] != id)
        owner->current++;
    FUZZ_CHECK(owner->current < owner->count);
}

static void follow(struct owner *owner, const struct fxt_record *record)
{
    struct fxt_provider_info info;
    struct fxt_provider_section section;
    struct fxt_error error;

    if (fxt_read_provider_info(record, &info, &error) == FXT_OK) {
        FUZZ_CHECK(owner->count < FUZZ_ACTORS);
        owner->ids[owner->count] = info.provider_id;
        owner->numbers[owner->count++] = fuzz_actor_number(info.name);
        choose(owner, info.provider_id);
    } else if (fxt_read_provider_section(record, &section, &error) == FXT_OK) {
        choose(owner, section.provider_id);
    }
}

void fuzz_outlet_judge(struct fuzz_outlet *outlet,
                       void (*found)(void *self, unsigned provider, uint64_t event), void *self)
{
    static struct fuzz_judge judge;
    struct owner owner = {.count = 0};
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;
    uint64_t event;

    fuzz_outlet_read(outlet, SIZE_MAX);
    if (outlet->size == 0) {
        FUZZ_CHECK(!outlet->used || outlet->harmed);
        return;
    }
    fuzz_judge_begin(&judge, FUZZ_JUDGE_PROVIDERS);
    fxt_reader_init(&reader, outlet->bytes, outlet->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        FUZZ_CHECK(fuzz_judge_is_good(&judge, &record));
        follow(&owner, &record);
        if (fuzz_actor_event(&record, &event)) {
            FUZZ_CHECK(owner.count > 0);
            found(self, owner.numbers[owner.current], event);
        }
    }
    FUZZ_CHECK(status == FXT_END || (outlet->harmed && status == FXT_TRUNCATED));
}

void fuzz_outlet_close(struct fuzz_outlet *outlet)
{
    if (outlet->reader >= 0)
        close(outlet->reader);
    outlet->reader = -1;
    free(outlet->bytes);
    outlet->bytes = NULL;
}
