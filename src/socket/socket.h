/* What provider, manager and client share of sockets: where they are, who is at the other end, and
   packets with descriptors. spec/system.md, section 4. Thread-safe. Errors are errno values. */
#ifndef FXT_SOCKET_SOCKET_H
#define FXT_SOCKET_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/un.h>

#define FXT_I_DESCRIPTORS_MAX 2 /* that go with a packet */

/* A manager's sockets in its directory. */
#define FXT_I_REGISTRY "registry"
#define FXT_I_CONTROLLER "controller"

#define FXT_I_DIRECTORY_MAX 96 /* with its NUL: the path of a socket has to fit into an address */

/* Where a manager is to be looked for: $FXT_TRACE_DIR, or $XDG_RUNTIME_DIR/fxt-trace if
   $XDG_RUNTIME_DIR belongs to the effective user, or /tmp/fxt-trace-UID with that user's number. A process that has more rights than its caller
   (AT_SECURE) ignores the environment. ENAMETOOLONG. */
int fxt_i_socket_directory(char out[FXT_I_DIRECTORY_MAX]);

/* Makes the directory unless it is there. EACCES when it is not this user's alone. */
int fxt_i_socket_make_directory(const char *directory);

/* Connects to the socket of that name. When too many ask at once it waits if `blocking`, else EAGAIN.
   EACCES when another user listens there. */
int fxt_i_socket_connect(int *out, const char *directory, const char *name, bool blocking);

/* Listens under that name, in place of a manager that has died. EADDRINUSE when one is alive. */
int fxt_i_socket_listen(int *out, const char *directory, const char *name);

/* A pair that is connected; not blocking. */
int fxt_i_socket_pair(int out[2]);

/* Whether it is one end of such a pair. */
bool fxt_i_socket_is_one(int descriptor);

/* Whether the other end's effective user is this process's, or root; and in *process its process. */
bool fxt_i_socket_peer_is_us(int socket, pid_t *process);

/* Sends one packet, whole or not at all, and never blocks: EAGAIN when there is no room, EPIPE when
   nobody is there any more. */
int fxt_i_socket_send(int socket, const void *bytes, size_t size, const int *descriptors,
                      size_t count);

/* Receives one packet of at most `room` bytes, and its descriptors, which are the caller's then and
   close on exec; -1 for those that did not come. Never blocks: EAGAIN. EPIPE at the end; EMSGSIZE for
   a packet that does not fit, EPROTO for too many descriptors, and they are closed. */
int fxt_i_socket_receive(int socket, void *bytes, size_t room, size_t *size,
                         int descriptors[FXT_I_DESCRIPTORS_MAX]);

#endif
