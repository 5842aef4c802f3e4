/* Sockets of provider, manager and client: their directory, the identity of the peer, and packets
   with descriptors. See spec/system.md, section 4. Any thread may call any of these functions,
   also for the same socket: they have no state, and one system call sends or receives a packet.
   Errors are errno values. */
#ifndef FXT_SOCKET_SOCKET_H
#define FXT_SOCKET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

#define FXT_I_DESCRIPTORS_MAX 2 /* descriptors in one packet */

/* The manager's sockets in its directory. */
#define FXT_I_REGISTRY "registry"
#define FXT_I_CONTROLLER "controller"

#define FXT_I_DIRECTORY_MAX 96 /* including NUL: the path of a socket must fit into an address */

/* Opens those of the descriptors 0, 1 and 2 that are closed, as in a daemon, so that no file or socket
   gets their numbers: the program's own output would go there. Their use still fails with EBADF, and
   programs that are executed have them closed. Where there is no /dev/null, nothing is opened. */
void fxt_i_socket_open_standard(void);

/* The program may close a descriptor that is not its own, as a daemon closes all, and get its number for
   another file. By its identity, the owner knows whether a descriptor is still the one that it stored.
   Kinds without an inode of their own (eventfd, timerfd, inotify) are told from files and sockets
   only. */
struct fxt_i_identity {
    dev_t device;
    ino_t inode;
};

struct fxt_i_identity fxt_i_identity_of(int descriptor);
bool fxt_i_identity_is(const struct fxt_i_identity *identity, int descriptor);

/* Moves a descriptor to a number that the program does not get, unless it has hundreds open or asks for
   it: so it is not used again between a look at its identity and its use. Returns the descriptor
   itself if there is no such number. Closes on exec. */
int fxt_i_descriptor_aside(int descriptor);

/* The directory of the manager: $FXT_TRACE_DIR, or $XDG_RUNTIME_DIR/fxt-trace if $XDG_RUNTIME_DIR
   is absolute and belongs to the effective user, or /tmp/fxt-trace-UID with that user's number. A
   process that has more rights than its caller (AT_SECURE) ignores the environment. ENAMETOOLONG;
   EINVAL if $FXT_TRACE_DIR is relative, because two processes would mean two directories. */
int fxt_i_socket_directory(char out[FXT_I_DIRECTORY_MAX]);

/* Creates the directory if it does not exist. EPERM if it is not accessible to this user alone. */
int fxt_i_socket_make_directory(const char *directory);

/* Connects to the socket of that name. If too many processes connect at once, waits if
   `blocking`, otherwise returns EAGAIN. EPERM if the directory is not accessible to this user
   alone, EACCES if another user listens there. */
int fxt_i_socket_connect(int *out, const char *directory, const char *name, bool blocking);

/* Listens under that name, and replaces the socket of a manager that has died. EADDRINUSE if one
   is alive. *out is -1 then, and after every other error. */
int fxt_i_socket_listen(int *out, const char *directory, const char *name);

/* Makes a connected pair of non-blocking sockets. */
int fxt_i_socket_pair(int out[2]);

/* Whether the descriptor is one end of such a pair. */
bool fxt_i_socket_is_one(int descriptor);

/* Whether the peer's effective user is this process's or root. Stores the peer's process id in
   *process. False with errno: EACCES for another user. */
bool fxt_i_socket_peer_is_us(int socket, pid_t *process);

/* Sends one packet, whole or not at all. Never blocks. EAGAIN if there is no room, EPIPE if the
   peer has closed. */
int fxt_i_socket_send(int socket, const void *bytes, size_t size, const int *descriptors,
                      size_t count);

/* Closes a descriptor that came from another process. Never blocks, as close(2) does for a socket of
   TCP that is to linger. */
void fxt_i_socket_release(int descriptor);

/* Receives one packet of at most `room` bytes, and its descriptors, which then belong to the
   caller and close on exec; -1 for those that are missing. Never blocks: EAGAIN. EPIPE at the
   end. EMSGSIZE for a packet that does not fit and EPROTO for too many descriptors; the
   descriptors are then closed. */
int fxt_i_socket_receive(int socket, void *bytes, size_t room, size_t *size,
                         int descriptors[FXT_I_DESCRIPTORS_MAX]);

#endif
