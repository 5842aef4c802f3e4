/* A file that is not yet complete: a signal that ends the program removes it. */
#ifndef FXT_CLI_CLEANUP_H
#define FXT_CLI_CLEANUP_H

/* The file at `path`, which stays the caller's, until the next call; NULL: none. One at a time. */
void cleanup_set(const char *path);

#endif
