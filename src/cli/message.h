/* Messages on stderr, and the exit codes of every command. */
#ifndef FXT_CLI_MESSAGE_H
#define FXT_CLI_MESSAGE_H

/* Defined beside the main() of each program. */
struct program {
    const char *name;
    const char *operands; /* the end of the usage line */
    const char *help_end; /* printed at the end of the help of every command */
};
extern const struct program program;

enum exit_code { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_USAGE = 2, EXIT_IO = 3 };

/* Prints one line on stderr: the program's name and the message. Erases the progress line first. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same without the program's name, for lines that begin with a file name and a place. */
void message_at(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The worse of two results: 3 > 1 > 0. */
enum exit_code exit_worse(enum exit_code a, enum exit_code b);

#endif
