/* Opens a page in the browser of the user. */
#ifndef FXT_CLI_BROWSER_H
#define FXT_CLI_BROWSER_H

#include <stdbool.h>

/* Passes a file, by its absolute path, to the first command of $BROWSER that can be started, or else
   to xdg-open. The browser outlives this process and its terminal. False after a message that names
   the file: there is no such command, it failed at once, or there is no display. */
bool browser_open(const char *path);

#endif
