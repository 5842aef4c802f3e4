/* For tests that speak the packets by hand: a manager that is none, for the provider library of
   programs of the fixture. It lives in this process. */
#ifndef FXT_MANAGER_FAKE_TEST_H
#define FXT_MANAGER_FAKE_TEST_H

#include <dirent.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <fxt/buffer.h>

#include "src/protocol/packet.h"
#include "src/manager/system_test.h"
#include "src/socket/socket.h"

struct fake {
    int listening;
    int connection; /* descriptors are -1 when there are none */
    int fifo;
    int file;
    uint8_t *buffer; /* or NULL */
    uint64_t bytes;
    uint8_t packet[FXT_I_PACKET_BYTES_MAX];
};

static struct fake fake = {-1, -1, -1, -1, NULL, 0, {0}};

static inline void fake_close(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

static inline void make_directory(void)
{
    cr_assert_not_null(mkdtemp(directory));
    setenv("FXT_TRACE_DIR", directory, 1);
}

static inline void fake_listen(void)
{
    cr_assert_eq(fxt_i_socket_listen(&fake.listening, directory, FXT_I_REGISTRY), 0);
}

static inline void fake_begin(void)
{
    make_directory();
    fake_listen();
}

static inline bool fake_is_readable(int descriptor, int ms)
{
    struct pollfd it = {.fd = descriptor, .events = POLLIN};
    return poll(&it, 1, ms) == 1;
}

/* Nobody is accepted in time: false. */
static inline bool fake_accept(int ms)
{
    fake_close(&fake.connection);
    if (!fake_is_readable(fake.listening, ms))
        return false;
    fake.connection = accept4(fake.listening, NULL, NULL, SOCK_CLOEXEC);
    return fake.connection >= 0;
}

/* A packet of the provider with that ordinal, as the next one. */
static inline bool fake_hear(uint16_t ordinal, int ms)
{
    int descriptors[FXT_I_DESCRIPTORS_MAX];
    struct fxt_i_packet packet;
    struct fxt_error error;
    size_t size;
    return fake_is_readable(fake.connection, ms) &&
           fxt_i_socket_receive(fake.connection, fake.packet, sizeof fake.packet, &size,
                                descriptors) == 0 &&
           fxt_i_packet_read(&packet, fake.packet, size, FXT_I_OF_PROVIDER, &error) == FXT_OK &&
           packet.ordinal == ordinal;
}

static inline void fake_meet(void)
{
    cr_assert(fake_accept(10000));
    cr_assert(fake_hear(FXT_I_REGISTER, 5000));
}

static inline int fake_send(const struct fxt_i_packet *packet, const int *descriptors, size_t count)
{
    uint64_t size = fxt_i_packet_write(fake.packet, packet, NULL);
    return fxt_i_socket_send(fake.connection, fake.packet, size, descriptors, count);
}

static inline void fake_say(uint16_t ordinal, uint16_t choice)
{
    const struct fxt_i_packet packet = {.ordinal = ordinal, .choice = choice};
    cr_assert_eq(fake_send(&packet, NULL, 0), 0);
}

static inline int fake_make_file(uint64_t bytes, int seals)
{
    int file = memfd_create("fxt-trace", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    cr_assert_geq(file, 0);
    cr_assert_eq(ftruncate(file, (off_t)bytes), 0);
    cr_assert_eq(fcntl(file, F_ADD_SEALS, seals), 0);
    return file;
}

static inline void fake_initialize_with(enum trace_mode mode, int file, int fifo)
{
    const struct fxt_i_packet packet = {.ordinal = FXT_I_INITIALIZE, .choice = (uint16_t)mode};
    const int descriptors[] = {file, fifo};
    cr_assert_eq(fake_send(&packet, descriptors, 2), 0);
}

static inline void fake_forget_session(void)
{
    fake_close(&fake.fifo);
    fake_close(&fake.file);
    if (fake.buffer != NULL)
        munmap(fake.buffer, fake.bytes);
    fake.buffer = NULL;
}

/* As a manager does. */
static inline void fake_initialize(enum trace_mode mode)
{
    int ends[2];
    fake_forget_session();
    fake.bytes = 1 << 20;
    fake.file = fake_make_file(fake.bytes, F_SEAL_SHRINK | F_SEAL_GROW);
    fake.buffer = mmap(NULL, fake.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fake.file, 0);
    cr_assert_neq(fake.buffer, MAP_FAILED);
    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    fake_initialize_with(mode, fake.file, ends[1]);
    close(ends[1]);
    fake.fifo = ends[0];
}

static inline void fake_start(void)
{
    fake_say(FXT_I_START, TRACE_DISPOSITION_CLEAR_ENTIRE);
}

/* The request of the next packet of the FIFO; 0 when there is none in time, -1 when its other end is
   closed. */
static inline int fake_hear_fifo(int ms)
{
    uint8_t bytes[FXT_I_FIFO_BYTES];
    struct fxt_i_fifo packet;
    struct fxt_error error;
    if (!fake_is_readable(fake.fifo, ms))
        return 0;
    ssize_t got = recv(fake.fifo, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got <= 0)
        return -1;
    cr_assert_eq(fxt_i_fifo_read(&packet, bytes, (size_t)got, FXT_I_OF_PROVIDER, &error), FXT_OK);
    return packet.request;
}

static inline bool fake_is_closed(int descriptor, int ms)
{
    static uint8_t bytes[FXT_I_PACKET_BYTES_MAX];
    for (uint64_t end = now_ms() + (uint64_t)ms; now_ms() < end;) {
        if (!fake_is_readable(descriptor, 20))
            continue;
        ssize_t got = recv(descriptor, bytes, sizeof bytes, MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            return true;
    }
    return false;
}

/* From registration to a trace that is on. */
static inline void fake_begin_tracing(enum trace_mode mode)
{
    fake_meet();
    fake_initialize(mode);
    fake_start();
    cr_assert_eq(fake_hear_fifo(5000), FXT_I_STARTED);
}

/* The events of the buffer, which the provider has stopped to write. */
static inline struct found fake_find_events(void)
{
    static struct archive archive;
    struct fxt_buffer_part parts[FXT_BUFFER_PARTS_MAX];
    struct fxt_buffer_header header;
    struct fxt_error error;
    archive.size = 0;
    archive.bytes = realloc(archive.bytes, fake.bytes);
    cr_assert_eq(fxt_buffer_read_header(&header, fake.buffer, fake.bytes, fake.bytes, &error),
                 FXT_OK);
    uint32_t count = fxt_buffer_parts(parts, &header);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(archive.bytes + archive.size, fake.buffer + parts[i].offset, parts[i].size);
        archive.size += parts[i].size;
    }
    return find_events(&archive, NULL);
}

/* What a process has, by /proc. */

static inline bool soon_mapped(pid_t process, int count)
{
    for (uint64_t end = now_ms() + 5000; now_ms() < end; sleep_ms(2))
        if (count_mapped_buffers(process) == count)
            return true;
    return false;
}

/* How often the threads of a process have gone to sleep, or had to stop. */
static inline unsigned long count_switches(pid_t process)
{
    char path[300];
    char line[200];
    unsigned long all = 0;
    unsigned long count;
    struct dirent *entry;
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *tasks = opendir(path);
    cr_assert_not_null(tasks);
    while ((entry = readdir(tasks)) != NULL) {
        snprintf(path, sizeof path, "/proc/%d/task/%s/status", process, entry->d_name);
        FILE *file = entry->d_name[0] != '.' ? fopen(path, "r") : NULL;
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            if (sscanf(line, "voluntary_ctxt_switches: %lu", &count) == 1)
                all += count;
        if (file != NULL)
            fclose(file);
    }
    closedir(tasks);
    return all;
}

#endif
