/* What a program says on stderr, and the exit codes of every command. */
#ifndef FXT_CLI_MESSAGE_H
#define FXT_CLI_MESSAGE_H

/* Defined beside the main() of each program. */
struct program {
    const char *name;
    const char *operands; /* as the usage line ends */
    const char *help_end; /* closes the help of every command */
};
extern const struct program program;

enum exit_code { EXIT_CLEAN = 0, EXIT_FINDINGS = 1, EXIT_USAGE = 2, EXIT_IO = 3 };

/* One line on stderr: the program's name and the message. Takes the progress line away first. */
void message(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The same without that name, for lines that begin with a file name and a place. */
void message_at(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Of two results the worse one: 3 > 1 > 0. */
enum exit_code exit_worse(enum exit_code a, enum exit_code b);

#endif
