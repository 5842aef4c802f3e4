/* Connecting by TCP. No state. */
#include "src/tools/trace/sink.h"

#include <errno.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "src/cli/message.h"

#define PIECES_MAX 64 /* at a time */

/* A number from 1 to 65535 in decimal. getaddrinfo would take a larger number modulo 65536, and
   signs, spaces and other bases, too. */
static bool is_port(const char *text)
{
    size_t digits = strspn(text, "0123456789");
    return digits <= 5 && text[0] >= '1' && text[digits] == '\0' &&
           strtoul(text, NULL, 10) <= 65535;
}

static bool split(const char *name, char host[256], const char **port)
{
    const char *begin = name + strlen("tcp:");
    const char *colon = strrchr(begin, ':');
    if (colon == NULL || !is_port(colon + 1))
        return false;
    size_t length = (size_t)(colon - begin);
    if (length > 2 && begin[0] == '[' && begin[length - 1] == ']') {
        begin++;
        length -= 2;
    }
    snprintf(host, 256, "%.*s", (int)length, begin);
    *port = colon + 1;
    return length > 0 && length < 256;
}

bool tcp_is_place(const char *name)
{
    char host[256];
    const char *port;
    return strncmp(name, "tcp:", 4) == 0 && split(name, host, &port);
}

/* Connects to the first address that answers. */
static int connect_any(const struct addrinfo *list, int *out)
{
    int error = EADDRNOTAVAIL;
    for (const struct addrinfo *it = list; it != NULL; it = it->ai_next) {
        *out = socket(it->ai_family, it->ai_socktype | SOCK_CLOEXEC, it->ai_protocol);
        if (*out >= 0 && connect(*out, it->ai_addr, it->ai_addrlen) == 0)
            return 0;
        error = errno;
        if (*out >= 0)
            close(*out);
        *out = -1;
    }
    return error;
}

bool tcp_connect(int *out, const char *name)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    struct addrinfo *list;
    char host[256];
    const char *port;
    split(name, host, &port);
    int why = getaddrinfo(host, port, &hints, &list);
    if (why != 0) {
        message("%s: %s", name, gai_strerror(why));
        return false;
    }
    int error = connect_any(list, out);
    freeaddrinfo(list);
    if (error != 0)
        message("%s: %s", name, strerror(error));
    return error == 0;
}

bool tcp_is_delivered(int connection, int *error)
{
    char said[4096];
    int left = 0;
    ssize_t got = sizeof said;
    for (int i = 0; got > 0 && i < PIECES_MAX; i++)
        got = recv(connection, said, sizeof said, MSG_DONTWAIT);
    if (got < 0 && errno != EAGAIN && errno != EINTR)
        *error = errno;
    return *error != 0 || ioctl(connection, SIOCOUTQ, &left) != 0 || left == 0;
}
