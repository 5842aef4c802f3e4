/* Sockets of packets, in a directory that is one user's. */
#include "src/socket/socket.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 128
#define ASIDE 500

/* A program that became root through su still has another user's directory in its environment. */
static bool is_our_directory(const char *path)
{
    struct stat it;
    return stat(path, &it) == 0 && S_ISDIR(it.st_mode) && it.st_uid == geteuid();
}

int fxt_i_socket_directory(char out[FXT_I_DIRECTORY_MAX])
{
    const char *given = secure_getenv("FXT_TRACE_DIR");
    const char *run = secure_getenv("XDG_RUNTIME_DIR");
    bool is_relative = given != NULL && given[0] != '\0' && given[0] != '/';
    int length;

    if (given != NULL && given[0] != '\0')
        length = snprintf(out, FXT_I_DIRECTORY_MAX, "%s", given);
    else if (run != NULL && run[0] == '/' && is_our_directory(run))
        length = snprintf(out, FXT_I_DIRECTORY_MAX, "%s/fxt-trace", run);
    else
        length = snprintf(out, FXT_I_DIRECTORY_MAX, "/tmp/fxt-trace-%lu", (unsigned long)geteuid());
    if (length >= FXT_I_DIRECTORY_MAX)
        return ENAMETOOLONG;
    return is_relative ? EINVAL : 0;
}

static int address_of(struct sockaddr_un *out, const char *directory, const char *name)
{
    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    int length = snprintf(out->sun_path, sizeof out->sun_path, "%s/%s", directory, name);
    return length > 0 && (size_t)length < sizeof out->sun_path ? 0 : ENAMETOOLONG;
}

/* Follows no symbolic link: in /tmp, anybody could have made it. */
static int check_directory(const char *directory)
{
    struct stat it;

    if (lstat(directory, &it) != 0)
        return errno;
    if (!S_ISDIR(it.st_mode))
        return ENOTDIR;
    return it.st_uid == geteuid() && (it.st_mode & 077) == 0 ? 0 : EPERM;
}

int fxt_i_socket_make_directory(const char *directory)
{
    if (mkdir(directory, 0700) != 0 && errno != EEXIST)
        return errno;
    return check_directory(directory);
}

/* O_PATH: descriptors for neither reading nor writing. */
void fxt_i_socket_open_standard(void)
{
    int descriptor;

    do
        descriptor = open("/dev/null", O_PATH | O_CLOEXEC);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

struct fxt_i_identity fxt_i_identity_of(int descriptor)
{
    struct stat it;

    if (fstat(descriptor, &it) != 0)
        return (struct fxt_i_identity){0, 0};
    return (struct fxt_i_identity){it.st_dev, it.st_ino};
}

bool fxt_i_identity_is(const struct fxt_i_identity *identity, int descriptor)
{
    struct stat it;

    return fstat(descriptor, &it) == 0 && it.st_dev == identity->device &&
           it.st_ino == identity->inode;
}

int fxt_i_descriptor_aside(int descriptor)
{
    int aside = fcntl(descriptor, F_DUPFD_CLOEXEC, ASIDE);

    if (aside < 0)
        return descriptor;
    close(descriptor);
    return aside;
}

static int new_socket(int *out, bool blocking)
{
    *out = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0);
    return *out >= 0 ? 0 : errno;
}

int fxt_i_socket_connect(int *out, const char *directory, const char *name, bool blocking)
{
    struct sockaddr_un address;
    pid_t process;
    int error = address_of(&address, directory, name);

    if (error == 0)
        error = check_directory(directory);
    if (error == 0)
        error = new_socket(out, blocking);
    if (error != 0)
        return error;
    if (connect(*out, (const struct sockaddr *)&address, sizeof address) != 0)
        error = errno;
    else if (!fxt_i_socket_peer_is_us(*out, &process))
        error = errno;
    if (error != 0)
        close(*out);
    return error;
}

/* Returns EADDRINUSE if a process listens there, even one that is too busy to answer. */
static int look_for_another(const char *directory, const char *name)
{
    int other;
    int error = fxt_i_socket_connect(&other, directory, name, false);

    if (error == 0)
        close(other);
    if (error == 0 || error == EAGAIN)
        return EADDRINUSE;
    return error == ENOENT || error == ECONNREFUSED ? 0 : error;
}

/* Binds to a temporary name, which is as short, and renames it: a client that sees the final name
   can connect at once. */
static int bind_and_listen(int socket, const char *directory, const char *name)
{
    struct sockaddr_un address;
    struct sockaddr_un first;
    char own[24];

    snprintf(own, sizeof own, ".%c%ld", name[0], (long)getpid());
    int error = address_of(&address, directory, name);
    if (error == 0)
        error = address_of(&first, directory, own);
    if (error != 0)
        return error;
    unlink(first.sun_path);
    if (bind(socket, (const struct sockaddr *)&first, sizeof first) == 0 &&
        chmod(first.sun_path, 0600) == 0 && listen(socket, BACKLOG) == 0 &&
        rename(first.sun_path, address.sun_path) == 0)
        return 0;
    error = errno;
    unlink(first.sun_path);
    return error;
}

/* The lock is for managers that start at the same time: otherwise neither would find the other. */
int fxt_i_socket_listen(int *out, const char *directory, const char *name)
{
    int lock = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    *out = -1;
    if (lock < 0)
        return errno;
    int error = flock(lock, LOCK_EX) != 0 ? errno : look_for_another(directory, name);
    if (error == 0)
        error = new_socket(out, false);
    if (error == 0) {
        error = bind_and_listen(*out, directory, name);
        if (error != 0) {
            close(*out);
            *out = -1;
        }
    }
    close(lock);
    return error;
}

int fxt_i_socket_pair(int out[2])
{
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, out) == 0 ? 0
                                                                                           : errno;
}

static bool has_option(int descriptor, int name, int wanted)
{
    int value = -1;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 && value == wanted;
}

bool fxt_i_socket_is_one(int descriptor)
{
    return has_option(descriptor, SO_DOMAIN, AF_UNIX) &&
           has_option(descriptor, SO_TYPE, SOCK_SEQPACKET);
}

bool fxt_i_socket_peer_is_us(int socket, pid_t *process)
{
    struct ucred peer;
    socklen_t size = sizeof peer;

    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
        return false;
    *process = peer.pid;
    errno = EACCES;
    return peer.uid == geteuid() || peer.uid == 0;
}

/* What is received has room for all descriptors that a packet can have: the kernel would close the
   others, and might block. */
#define DESCRIPTORS_SENT_MAX 253

union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int) * FXT_I_DESCRIPTORS_MAX)];
};

union received {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int) * DESCRIPTORS_SENT_MAX)];
};

int fxt_i_socket_send(int socket, const void *bytes, size_t size, const int *descriptors,
                      size_t count)
{
    struct iovec data = {(void *)(uintptr_t)bytes, size};
    struct msghdr message = {.msg_iov = &data, .msg_iovlen = 1};
    union control control;
    ssize_t sent;

    assert(count <= FXT_I_DESCRIPTORS_MAX);
    memset(&control, 0, sizeof control);
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * count);
    }
    do
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return errno == ECONNRESET ? EPIPE : errno;
    return 0;
}

void fxt_i_socket_release(int descriptor)
{
    const struct linger none = {.l_onoff = 0};

    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none,
               sizeof none); /* fails for what is no socket */
    close(descriptor);
}

/* Releases those for which there is no room. Returns how many there were. */
static size_t take_descriptors(struct msghdr *message, int descriptors[FXT_I_DESCRIPTORS_MAX])
{
    size_t count = 0;
    int descriptor;

    for (struct cmsghdr *at = CMSG_FIRSTHDR(message); at != NULL; at = CMSG_NXTHDR(message, at)) {
        if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
            continue;
        size_t here = (at->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < here; i++, count++) {
            memcpy(&descriptor, CMSG_DATA(at) + i * sizeof(int), sizeof descriptor);
            if (count < FXT_I_DESCRIPTORS_MAX)
                descriptors[count] = descriptor;
            else
                fxt_i_socket_release(descriptor);
        }
    }
    return count;
}

static int what_is_wrong(const struct msghdr *message, size_t size, size_t count)
{
    if (size == 0) /* end of the connection: no packet is empty */
        return EPIPE;
    if ((message->msg_flags & MSG_TRUNC) != 0)
        return EMSGSIZE;
    return (message->msg_flags & MSG_CTRUNC) != 0 || count > FXT_I_DESCRIPTORS_MAX ? EPROTO : 0;
}

/* A peer that closes before it has read everything leaves the error ECONNRESET, once, before the
   packets that it has sent. */
int fxt_i_socket_receive(int socket, void *bytes, size_t room, size_t *size,
                         int descriptors[FXT_I_DESCRIPTORS_MAX])
{
    struct iovec data = {bytes, room};
    union received control;
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t got;

    assert(room > 0);
    for (int i = 0; i < FXT_I_DESCRIPTORS_MAX; i++)
        descriptors[i] = -1;
    do
        got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    while (got < 0 && (errno == EINTR || errno == ECONNRESET));
    if (got < 0)
        return errno;
    size_t count = take_descriptors(&message, descriptors);
    int error = what_is_wrong(&message, (size_t)got, count);
    for (int i = 0; error != 0 && i < FXT_I_DESCRIPTORS_MAX; i++) {
        if (descriptors[i] >= 0)
            fxt_i_socket_release(descriptors[i]);
        descriptors[i] = -1;
    }
    *size = (size_t)got;
    return error;
}
