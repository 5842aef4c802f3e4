/* fxt, the tool for traces of the Fuchsia trace format: finds the command, parses its options, runs
   it, and returns its exit code. Owns the table of commands. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "src/tools/commands.h"

static const struct command *const commands[] = {
    &command_check, &command_dump, &command_json, &command_asm, &command_stat,
};
#define COMMAND_COUNT (sizeof commands / sizeof *commands)

static void print_usage(FILE *file)
{
    fputs("usage: fxt COMMAND [OPTION]... [FILE]...\n\ncommands:\n", file);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(file, "  %-8s%s\n", commands[i]->name, commands[i]->title);
    fputs("\n'fxt COMMAND --help' lists the options of a command; 'fxt --version' prints the "
          "version.\n",
          file);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(name, commands[i]->name) == 0)
            return commands[i];
    return NULL;
}

static enum exit_code run(int argc, char **argv)
{
    struct options options;
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return EXIT_CLEAN;
    }
    if (strcmp(argv[1], "--version") == 0) {
        print_version();
        return EXIT_CLEAN;
    }
    const struct command *command = find_command(argv[1]);
    if (command == NULL) {
        message("unknown %s '%s'; 'fxt --help' lists the commands",
                argv[1][0] == '-' ? "option" : "command", argv[1]);
        return EXIT_USAGE;
    }
    switch (options_parse(&options, command, argc - 1, argv + 1)) {
    case OPTIONS_RUN:
        return command->run(&options);
    case OPTIONS_DONE:
        return EXIT_CLEAN;
    case OPTIONS_USAGE:
        break;
    }
    return EXIT_USAGE;
}

/* A closed standard descriptor would be given to the first file that is opened. Opened the wrong
   way round, using it still fails as it should. */
static void hold_standard_descriptors(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_IO);
}

int main(int argc, char **argv)
{
    hold_standard_descriptors();
    signal(SIGPIPE, SIG_IGN);
    enum exit_code code = run(argc, argv);
    /* Help and version went through stdio. */
    if (fflush(stdout) != 0 && code != EXIT_IO) {
        message("write error");
        code = EXIT_IO;
    }
    return (int)code;
}
