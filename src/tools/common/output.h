/* Where a command's result goes: stdout, or a file that appears when it is complete. */
#ifndef FXT_TOOLS_COMMON_OUTPUT_H
#define FXT_TOOLS_COMMON_OUTPUT_H

#include <stdbool.h>

#include "src/convert/out.h"
#include "src/cli/message.h"

struct output {
    struct fxt_out out; /* print here; out.failed: stop, nothing more can be written */
    char *path;         /* of the file, NULL for stdout */
    char *temporary;    /* beside it, NULL when the file is written in place */
    int fd;
};

/* path: NULL or "-" for stdout. A path that is not a regular file (a device, a FIFO) is written in
   place. False after a message; then there is nothing to close. */
bool output_open(struct output *output, const char *path);

/* Writes what is left and gives the file its name. EXIT_IO after a message when that fails. */
enum exit_code output_commit(struct output *output);

/* Gives up: the file stays as it was before. */
void output_discard(struct output *output);

#endif
