/* Runs a program: from its arguments to its exit code. No state; main() calls this. */
#include "src/cli/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/cli/nearest.h"

struct commands {
    const struct command *const *it;
    size_t count;
};

static int name_columns(const struct commands *commands)
{
    size_t longest = 0;
    for (size_t i = 0; i < commands->count; i++)
        if (strlen(commands->it[i]->name) > longest)
            longest = strlen(commands->it[i]->name);
    return (int)longest + 3;
}

static void print_usage(FILE *file, const struct commands *commands)
{
    fprintf(file, "usage: %s COMMAND [OPTION]... %s\n\ncommands:\n", program.name,
            program.operands);
    for (size_t i = 0; i < commands->count; i++) {
        if (commands->it[i]->group != NULL)
            fprintf(file, " %s:\n", commands->it[i]->group);
        fprintf(file, "  %-*s%s\n", name_columns(commands), commands->it[i]->name,
                commands->it[i]->title);
    }
    fprintf(file,
            "\n'%s COMMAND --help' lists the options of a command; '%s --version' prints the "
            "version.\n",
            program.name, program.name);
}

static const struct command *find_command(const struct commands *commands, const char *name)
{
    for (size_t i = 0; i < commands->count; i++)
        if (strcmp(name, commands->it[i]->name) == 0)
            return commands->it[i];
    return NULL;
}

static enum exit_code unknown_command(const struct commands *commands, const char *word)
{
    struct nearest nearest = nearest_begin(word);
    for (size_t i = 0; i < commands->count; i++)
        nearest_try(&nearest, commands->it[i]->name);
    const char *what = word[0] == '-' ? "option" : "command";
    if (nearest.name != NULL)
        message("unknown %s '%s'; did you mean '%s'?", what, word, nearest.name);
    else
        message("unknown %s '%s'; '%s --help' lists the commands", what, word, program.name);
    return EXIT_USAGE;
}

/* The common words before a command. */
static bool asks_for_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static enum exit_code run_command(const struct command *command, int argc, char **argv)
{
    void *options = malloc(command->size);
    enum exit_code code = EXIT_USAGE;
    if (options == NULL) {
        message("%s", strerror(errno));
        return EXIT_IO;
    }
    memcpy(options, command->defaults, command->size);
    switch (options_parse(options, options, command, argc, argv)) {
    case OPTIONS_RUN:
        code = command->run(options);
        break;
    case OPTIONS_DONE:
        code = EXIT_CLEAN;
        break;
    case OPTIONS_USAGE:
        break;
    }
    free(options);
    return code;
}

/* help COMMAND: as COMMAND --help. */
static enum exit_code help(const struct commands *commands, char **argv)
{
    if (argv[2] == NULL || asks_for_help(argv[2])) {
        print_usage(stdout, commands);
        return EXIT_CLEAN;
    }
    const struct command *command = find_command(commands, argv[2]);
    if (command == NULL)
        return unknown_command(commands, argv[2]);
    if (argv[3] != NULL) {
        message("help takes one command, not '%s %s'", argv[2], argv[3]);
        return EXIT_USAGE;
    }
    static char option[] = "--help";
    char *arguments[] = {argv[2], option, NULL};
    return run_command(command, 2, arguments);
}

static enum exit_code run(const struct commands *commands, int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr, commands);
        return EXIT_USAGE;
    }
    if (asks_for_help(argv[1]))
        return help(commands, argv);
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return EXIT_CLEAN;
    }
    const struct command *command = find_command(commands, argv[1]);
    return command != NULL ? run_command(command, argc - 1, argv + 1)
                           : unknown_command(commands, argv[1]);
}

/* The first file to be opened would get the number of a closed standard descriptor. So closed
   ones are opened the wrong way round: their use still fails, as it should. */
static void hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_IO);
}

/* Those that this program ignores by itself. */
static int ignored[] = {SIGPIPE, SIGXFSZ};

void program_default_signals(sigset_t *set)
{
    sigemptyset(set);
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (ignored[i] != 0)
            sigaddset(set, ignored[i]);
}

int program_main(const struct command *const *commands, size_t count, int argc, char **argv)
{
    const struct commands all = {commands, count};
    hold_standard_descriptors();
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        if (signal(ignored[i], SIG_IGN) == SIG_IGN)
            ignored[i] = 0;
    enum exit_code code = run(&all, argc, argv);
    return code == EXIT_IO || was_printed() ? (int)code : EXIT_IO;
}
