/* The output of a command: stdout, or a file that appears when it is complete. On a terminal, what
   the terminal would obey instead of show is escaped; elsewhere no byte is changed. */
#ifndef FXT_CLI_OUTPUT_H
#define FXT_CLI_OUTPUT_H

#include <stdbool.h>

#include "src/convert/out.h"
#include "src/cli/message.h"
#include "src/cli/options.h"
#include "src/cli/terminal.h"

struct output {
    struct fxt_out out; /* print here; if out.failed, stop: nothing more can be written */
    const char *name;   /* the caller's path of the file, for messages; NULL: stdout */
    char *path;         /* the same without symbolic links */
    char *temporary;    /* temporary file; NULL: written in place */
    int fd;
    char *shown;  /* for a terminal: what is about to be written, escaped; NULL elsewhere */
    char *fitted; /* the same, with lines that are cut; NULL elsewhere */
    struct terminal_fit fit;
    bool styled; /* the caller's own escape sequences are in it, and text from outside is escaped */
    bool begun;  /* bytes have been written to `fd` */
};

/* path: NULL or "-" for stdout. A path that is not a regular file (a device, a FIFO) is written in
   place. inputs: files that it must not be, since the output says less than they do; or NULL. False
   after a message; then there is nothing to close. */
bool output_open(struct output *output, const char *path, const struct operand_list *inputs);

/* The same for a trace, which may be the input, too, but is no text: a terminal is refused. */
bool output_open_trace(struct output *output, const char *path);

/* The same for a page, which says less than the inputs and is nothing that people read. */
bool output_open_page(struct output *output, const char *path, const struct operand_list *inputs);

/* For tables, after output_open: lines are cut to the width of the terminal, if it is one. Sets
   output->styled if there are to be colours: headings in OUTPUT_HEADING, titles in OUTPUT_TITLE, each up
   to OUTPUT_PLAIN. */
void output_tables(struct output *output, enum terminal_colour wanted);

#define OUTPUT_TITLE "\033[1m"
#define OUTPUT_HEADING "\033[36m"
#define OUTPUT_PLAIN "\033[0m"

/* Whether the output is to replace one of these files. */
bool output_replaces(const struct output *output, const struct operand_list *inputs);

/* Writes the rest and renames the file into place. EXIT_IO after a message on failure. */
enum exit_code output_commit(struct output *output);

/* The end of a command that reads inputs. code: its result so far, with that of every input. Commits
   the output if something was read. If an input failed, though (EXIT_IO), or nothing was read, a file
   stays unchanged; what stdout or a device has already cannot be taken back, and a message says so.
   Returns the worse exit status. */
enum exit_code output_end(struct output *output, enum exit_code code, bool is_read);

/* Says that the file, or the directory, is not written because it would be incomplete. */
void output_report_unwritten(const char *path);

/* Discards the output: the file stays unchanged. */
void output_discard(struct output *output);

#endif
