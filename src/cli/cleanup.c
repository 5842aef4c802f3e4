/* The handler of SIGINT, SIGTERM and SIGHUP, each of which is caught unless it is ignored or caught
   already. It does what the signal would have done, after the file is gone. */
#include "src/cli/cleanup.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static const char *volatile incomplete;

static void remove_and_die(int number)
{
    const char *path = incomplete;
    if (path != NULL)
        unlink(path);
    signal(number, SIG_DFL);
    raise(number);
}

void cleanup_set(const char *path)
{
    struct sigaction old;
    struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = SA_RESTART};
    incomplete = path;
    for (size_t i = 0; path != NULL && i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}
