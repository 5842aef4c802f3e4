/* The directory that the environment gives, who may use it, and packets with descriptors. */
#include "src/socket/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <criterion/criterion.h>

#define NOBODY 65534

static char home[] = "/tmp/fxt_socket_test_XXXXXX";

static void make_home(void)
{
    cr_assert_not_null(mkdtemp(home));
    cr_assert_eq(chdir(home), 0);
    unsetenv("FXT_TRACE_DIR");
    unsetenv("XDG_RUNTIME_DIR");
}

static void remove_home(void)
{
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", home);
    cr_assert_eq(system(command), 0);
}

TestSuite(socket, .init = make_home, .fini = remove_home, .timeout = 60);

/* ---- the directory */

static const char *in_home(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", home, name);
    return path;
}

static void expect_directory(const char *expected)
{
    char directory[FXT_I_DIRECTORY_MAX];
    cr_expect_eq(fxt_i_socket_directory(directory), 0);
    cr_expect_str_eq(directory, expected);
}

static void expect_fallback(void)
{
    char expected[FXT_I_DIRECTORY_MAX];
    snprintf(expected, sizeof expected, "/tmp/fxt-trace-%lu", (unsigned long)geteuid());
    expect_directory(expected);
}

Test(socket, without_an_environment_the_directory_is_the_users_in_tmp)
{
    expect_fallback();
    setenv("FXT_TRACE_DIR", "", 1);
    expect_fallback();
}

Test(socket, the_users_runtime_directory_has_the_directory)
{
    setenv("XDG_RUNTIME_DIR", home, 1);
    expect_directory(in_home("fxt-trace"));
    setenv("FXT_TRACE_DIR", "/of/mine", 1);
    expect_directory("/of/mine");
}

/* As after su: the environment is that of the user before. */
Test(socket, a_runtime_directory_that_is_not_the_users_is_not_taken)
{
    const char *others = "/";
    if (geteuid() == 0) {
        cr_assert_eq(mkdir("others", 0700), 0);
        cr_assert_eq(chown("others", NOBODY, NOBODY), 0);
        others = in_home("others");
    }
    setenv("XDG_RUNTIME_DIR", others, 1);
    expect_fallback();
    setenv("XDG_RUNTIME_DIR", in_home("missing"), 1);
    expect_fallback();
    setenv("XDG_RUNTIME_DIR", ".", 1);
    expect_fallback();
    cr_assert_eq(close(open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600)), 0);
    setenv("XDG_RUNTIME_DIR", in_home("file"), 1);
    expect_fallback();
}

Test(socket, a_directory_that_means_another_one_elsewhere_is_refused)
{
    char directory[FXT_I_DIRECTORY_MAX];
    setenv("FXT_TRACE_DIR", "relative", 1);
    cr_expect_eq(fxt_i_socket_directory(directory), EINVAL);
}

Test(socket, the_longest_directory_has_room_for_its_socket)
{
    char path[FXT_I_DIRECTORY_MAX + 1] = "/";
    char directory[FXT_I_DIRECTORY_MAX];
    memset(path + 1, 'x', FXT_I_DIRECTORY_MAX - 1);
    setenv("FXT_TRACE_DIR", path, 1);
    cr_expect_eq(fxt_i_socket_directory(directory), ENAMETOOLONG);
    path[FXT_I_DIRECTORY_MAX - 1] = '\0';
    setenv("FXT_TRACE_DIR", path, 1);
    expect_directory(path);

    struct sockaddr_un address;
    cr_expect_lt(strlen(path) + strlen("/" FXT_I_CONTROLLER), sizeof address.sun_path);
}

Test(socket, a_directory_that_others_may_use_is_refused)
{
    const char *path = in_home("manager");
    int other = -1;

    cr_expect_eq(fxt_i_socket_make_directory(path), 0);
    cr_expect_eq(fxt_i_socket_make_directory(path), 0, "a second manager finds it");
    static const mode_t open_ones[] = {0710, 0740, 0701, 0777};
    for (size_t i = 0; i < sizeof open_ones / sizeof open_ones[0]; i++) {
        cr_assert_eq(chmod(path, open_ones[i]), 0);
        cr_expect_eq(fxt_i_socket_make_directory(path), EPERM);
        cr_expect_eq(fxt_i_socket_connect(&other, path, FXT_I_REGISTRY, true), EPERM);
    }
    cr_assert_eq(chmod(path, 0700), 0);
    cr_expect_eq(fxt_i_socket_connect(&other, path, FXT_I_REGISTRY, true), ENOENT);

    cr_assert_eq(symlink("manager", "link"), 0);
    cr_expect_eq(fxt_i_socket_make_directory(in_home("link")), ENOTDIR);
    cr_expect_eq(fxt_i_socket_connect(&other, in_home("link"), FXT_I_REGISTRY, true), ENOTDIR);
    cr_expect_eq(fxt_i_socket_make_directory(in_home("no/parent")), ENOENT);
    if (geteuid() == 0) {
        cr_assert_eq(chown("manager", NOBODY, NOBODY), 0);
        cr_expect_eq(fxt_i_socket_make_directory(in_home("manager")), EPERM);
    }
}

Test(socket, who_listens_is_alone_and_replaces_who_died)
{
    int first, second, client;
    pid_t process = 0;

    cr_assert_eq(chmod(home, 0700), 0);
    cr_assert_eq(fxt_i_socket_listen(&first, home, FXT_I_REGISTRY), 0);
    cr_expect_eq(fxt_i_socket_listen(&second, home, FXT_I_REGISTRY), EADDRINUSE);
    cr_expect_eq(second, -1);
    cr_assert_eq(fxt_i_socket_connect(&client, home, FXT_I_REGISTRY, true), 0);
    cr_expect(fxt_i_socket_peer_is_us(client, &process));
    cr_expect_eq(process, getpid());
    close(client);
    close(first);
    cr_expect_eq(fxt_i_socket_connect(&client, home, FXT_I_REGISTRY, true), ECONNREFUSED);
    cr_assert_eq(fxt_i_socket_listen(&second, home, FXT_I_REGISTRY), 0,
                 "its socket is still there");
    cr_assert_eq(fxt_i_socket_connect(&client, home, FXT_I_REGISTRY, true), 0);
    close(client);
    close(second);
}

/* ---- packets */

/* Whether it is closed. */
static bool is_gone(int descriptor)
{
    return fcntl(descriptor, F_GETFD) == -1 && errno == EBADF;
}

Test(socket, a_packet_has_its_bytes_and_its_descriptors)
{
    int ends[2];
    int got[FXT_I_DESCRIPTORS_MAX];
    char bytes[8];
    size_t size = 0;

    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    cr_expect(fxt_i_socket_is_one(ends[0]));
    cr_expect_eq(fxt_i_socket_receive(ends[1], bytes, sizeof bytes, &size, got), EAGAIN);

    int sent[FXT_I_DESCRIPTORS_MAX] = {open(home, O_RDONLY | O_CLOEXEC),
                                       open("/dev/null", O_RDWR | O_CLOEXEC)};
    for (size_t count = 0; count <= FXT_I_DESCRIPTORS_MAX; count++) {
        cr_assert_eq(fxt_i_socket_send(ends[0], "12345678", 8, sent, count), 0);
        cr_assert_eq(fxt_i_socket_receive(ends[1], bytes, sizeof bytes, &size, got), 0);
        cr_expect_eq(size, 8);
        cr_expect_eq(memcmp(bytes, "12345678", 8), 0);
        for (size_t i = 0; i < FXT_I_DESCRIPTORS_MAX; i++) {
            struct stat a, b;
            if (i >= count) {
                cr_expect_eq(got[i], -1);
                continue;
            }
            cr_assert_eq(fstat(sent[i], &a) | fstat(got[i], &b), 0);
            cr_expect(a.st_ino == b.st_ino && a.st_dev == b.st_dev);
            cr_expect_eq(fcntl(got[i], F_GETFD), FD_CLOEXEC);
            fxt_i_socket_release(got[i]);
            cr_expect(is_gone(got[i]));
        }
    }
    close(ends[0]);
    cr_expect_eq(fxt_i_socket_receive(ends[1], bytes, sizeof bytes, &size, got), EPIPE);
    cr_expect_eq(fxt_i_socket_send(ends[1], "x", 1, NULL, 0), EPIPE);
}

static int count_open(void)
{
    int count = 0;
    for (int i = 0; i < 256; i++)
        count += !is_gone(i);
    return count;
}

Test(socket, a_packet_that_is_refused_leaves_no_descriptor)
{
    int ends[2];
    int got[FXT_I_DESCRIPTORS_MAX];
    char bytes[8];
    size_t size = 0;

    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    int sent[2] = {STDERR_FILENO, STDERR_FILENO};
    int before = count_open();
    cr_assert_eq(fxt_i_socket_send(ends[0], "123456789", 9, sent, 2), 0);
    cr_expect_eq(fxt_i_socket_receive(ends[1], bytes, sizeof bytes, &size, got), EMSGSIZE);
    cr_expect_eq(count_open(), before);

    /* Three, which only a stranger sends. */
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(3 * sizeof(int))];
    } control = {.header = {.cmsg_len = CMSG_LEN(3 * sizeof(int)),
                            .cmsg_level = SOL_SOCKET,
                            .cmsg_type = SCM_RIGHTS}};
    int three[3] = {STDERR_FILENO, STDERR_FILENO, STDERR_FILENO};
    memcpy(CMSG_DATA(&control.header), three, sizeof three);
    struct iovec piece = {.iov_base = bytes, .iov_len = sizeof bytes};
    struct msghdr message = {.msg_iov = &piece,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control.room};
    cr_assert_eq(sendmsg(ends[0], &message, 0), sizeof bytes);
    cr_expect_eq(fxt_i_socket_receive(ends[1], bytes, sizeof bytes, &size, got), EPROTO);
    cr_expect_eq(count_open(), before);
}

Test(socket, who_does_not_read_blocks_nobody)
{
    int ends[2];
    char bytes[1024] = {0};
    int error = 0;

    cr_assert_eq(fxt_i_socket_pair(ends), 0);
    for (int i = 0; i < 100000 && error == 0; i++)
        error = fxt_i_socket_send(ends[0], bytes, sizeof bytes, NULL, 0);
    cr_expect_eq(error, EAGAIN);
}

Test(socket, what_is_no_end_of_a_pair_is_known)
{
    int stream[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, stream), 0);
    cr_expect_not(fxt_i_socket_is_one(stream[0]));
    cr_expect_not(fxt_i_socket_is_one(STDERR_FILENO));
    cr_expect_not(fxt_i_socket_is_one(-1));
}

/* ---- descriptors 0, 1 and 2 */

/* In a process of its own: which of 0, 1 and 2 are open afterwards, as bits. */
static int prepare_without(unsigned closed)
{
    pid_t process = fork();
    if (process == 0) {
        int open_ones = 0;
        for (int i = 0; i < 3; i++)
            if ((closed >> i & 1) != 0)
                close(i);
        fxt_i_socket_open_standard();
        for (int i = 0; i < 3; i++)
            if (!is_gone(i))
                open_ones |= 1 << i;
        char byte = 0;
        for (int i = 0; i < 3; i++)
            if ((closed >> i & 1) != 0 &&
                (write(i, &byte, 1) != -1 || errno != EBADF || fcntl(i, F_GETFD) != FD_CLOEXEC))
                _exit(101);
        _exit(open_ones);
    }
    int status = -1;
    cr_assert_eq(waitpid(process, &status, 0), process);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(socket, closed_standard_descriptors_get_no_other_file)
{
    for (unsigned closed = 0; closed < 8; closed++)
        cr_expect_eq(prepare_without(closed), 7, "%x closed", closed);
}
