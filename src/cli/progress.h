/* The progress line on stderr. It is shown if a file takes longer than a second and stderr is a
   terminal, and erased before any other line and at the end. */
#ifndef FXT_CLI_PROGRESS_H
#define FXT_CLI_PROGRESS_H

#include <stdint.h>

/* size: bytes of the file, or 0 if unknown. */
void progress_begin(const char *name, uint64_t size);

/* done: bytes read so far. Cheap enough to call for every piece of input. */
void progress_update(uint64_t done);

/* Shows another line at once, or several that take the place of the line, wherever stderr goes. None is wider
   than the terminal. */
void progress_show(const char *text);

/* Erases the line; the next update shows it again. */
void progress_hide(void);

void progress_end(void);

#endif
