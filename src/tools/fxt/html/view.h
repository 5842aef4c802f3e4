/* A page that is shown at once, from a temporary place. */
#ifndef FXT_TOOLS_FXT_HTML_VIEW_H
#define FXT_TOOLS_FXT_HTML_VIEW_H

#include <limits.h>

#include "src/cli/output.h"

/* The page is in the directory fxt-view-UID of $TMPDIR, or else of /tmp, which only this user may
   enter. It is complete after view_end; `path` is absolute. */
struct view {
    struct output output; /* the page is written to its `out` */
    char path[PATH_MAX];
};

/* Removes pages there that are older than a day, and begins another one. False after a message. */
bool view_begin(struct view *view);

/* As output_end does: completes the page, or removes it if nothing was read or code is EXIT_IO. */
enum exit_code view_end(struct view *view, enum exit_code code, bool is_read);

#endif
