/* Option parsing with getopt_long. Its tables are built from the command's table. No state but
   that of getopt. main calls this once, with the command's table. */
#include "src/cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fxt/version.h>

#include "src/cli/nearest.h"

#define OPTIONS_MAX 40
#define HELP_COLUMN 30
#define USAGE_BYTES 8000

static const struct option_spec common[] = {
    {"help", 'h', NULL, "print this help", NULL, 0},
    {"version", 0, NULL, "print the version", NULL, 0},
    OPTION_END,
};

/* "true" or "false"; NULL: true. */
bool option_bool(void *member, const struct option_spec *spec, const char *value)
{
    bool *out = member;
    (void)spec;
    *out = value == NULL || strcmp(value, "true") == 0;
    return *out || strcmp(value, "false") == 0;
}

bool option_text(void *member, const struct option_spec *spec, const char *value)
{
    (void)spec;
    *(const char **)member = value;
    return *value != '\0';
}

/* Which one of "word|word|word" the value is. */
static bool choose(unsigned *out, const char *words, const char *value)
{
    size_t length = strlen(value);
    for (*out = 0;; ++*out) {
        size_t size = strcspn(words, "|");
        if (size == length && memcmp(words, value, size) == 0)
            return true;
        if (words[size] == '\0')
            return false;
        words += size + 1;
    }
}

bool option_choice(void *member, const struct option_spec *spec, const char *value)
{
    return choose(member, spec->argument, value);
}

bool option_choices(void *member, const struct option_spec *spec, const char *value)
{
    unsigned choice;
    bool good = choose(&choice, spec->argument, value);
    *(unsigned *)member |= 1u << choice;
    return good;
}

void print_version(void)
{
    printf("%s %s\n", program.name, FXT_VERSION);
}

bool was_printed(void)
{
    bool good = fflush(stdout) == 0;
    if (!good && errno != EPIPE)
        message("write error: %s", strerror(errno));
    return good;
}

static int takes_argument(const struct option_spec *spec)
{
    if (spec->argument == NULL)
        return no_argument;
    return spec->argument[0] == '[' ? optional_argument : required_argument;
}

static void print_option(FILE *file, const struct option_spec *spec)
{
    char left[100];
    if (*spec->name == '\0') {
        fprintf(file, " %s:\n", spec->help);
        return;
    }
    snprintf(left, sizeof left, "  %c%c%c --%s%s%s", spec->letter ? '-' : ' ',
             spec->letter ? spec->letter : ' ', spec->letter ? ',' : ' ', spec->name,
             takes_argument(spec) == required_argument ? "=" : "",
             spec->argument != NULL ? spec->argument : "");
    if (strlen(left) > HELP_COLUMN - 2)
        fprintf(file, "%s\n%*s%s\n", left, HELP_COLUMN, "", spec->help);
    else
        fprintf(file, "%-*s%s\n", HELP_COLUMN, left, spec->help);
}

static bool is_old(const struct option_spec *spec)
{
    return *spec->name == '\0' && spec->help == NULL;
}

static void print_help(const struct command *command)
{
    printf("usage: %s%s%s [OPTION]...%s%s\n%s\n\noptions:\n", program.name,
           *command->name != '\0' ? " " : "", command->name, *command->usage != '\0' ? " " : "",
           command->usage, command->title);
    for (const struct option_spec *spec = command->options; spec->name != NULL; spec++)
        if (!is_old(spec))
            print_option(stdout, spec);
    if (command->options->name != NULL && *command->options->name == '\0')
        printf(" common:\n");
    for (const struct option_spec *spec = common; spec->name != NULL; spec++)
        print_option(stdout, spec);
    printf("\n%s", program.help_end);
}

struct table {
    struct option longs[OPTIONS_MAX + 1];
    const struct option_spec *specs[OPTIONS_MAX];
    char shorts[2 * OPTIONS_MAX + 4];
    int count;
};

/* The row of the option that an old letter stands for. */
static const struct option_spec *target_of(const struct option_spec *specs, const char *name)
{
    while (strcmp(specs->name, name) != 0)
        specs++;
    return specs;
}

static void add_letter(struct table *table, char letter, const struct option_spec *spec)
{
    bool takes = takes_argument(spec) == required_argument;
    char text[3] = {letter, takes ? ':' : '\0', '\0'};
    strcat(table->shorts, text);
}

static void add(struct table *table, const struct option_spec *specs)
{
    const struct option_spec *first = specs;
    for (; specs->name != NULL && table->count < OPTIONS_MAX; specs++) {
        if (is_old(specs))
            add_letter(table, specs->letter, target_of(first, specs->argument));
        if (*specs->name == '\0')
            continue;
        int takes = takes_argument(specs);
        table->longs[table->count] = (struct option){specs->name, takes, NULL, 256 + table->count};
        table->specs[table->count++] = specs;
        if (specs->letter != 0)
            add_letter(table, specs->letter, specs);
    }
}

static const struct option_spec *found(const struct table *table, int code)
{
    if (code >= 256)
        return table->specs[code - 256];
    for (int i = 0; i < table->count; i++)
        if (code != '?' && table->specs[i]->letter == code)
            return table->specs[i];
    return NULL;
}

/* After a warning. NULL: the letter is not an old one, either. */
static const struct option_spec *found_old(const struct command *command, int code)
{
    for (const struct option_spec *spec = command->options; spec->name != NULL; spec++)
        if (is_old(spec) && spec->letter == code) {
            message("%s: -%c for --%s is an old form, which will go: write --%s", command->name,
                    code, spec->argument, spec->argument);
            return target_of(command->options, spec->argument);
        }
    return NULL;
}

/* Prints one line, and for a command a second line. */
__attribute__((format(printf, 2, 3))) static enum options_result
usage(const struct command *command, const char *format, ...)
{
    char text[USAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (*command->name == '\0') {
        message("%s; see --help", text);
    } else {
        message("%s", text);
        fprintf(stderr, "Try '%s %s --help'.\n", program.name, command->name);
    }
    return OPTIONS_USAGE;
}

/* The separator between the name of a command and the message. */
static const char *colon(const struct command *command)
{
    return *command->name != '\0' ? ": " : "";
}

static const char *nearest_option(const struct command *command, const char *word)
{
    struct nearest nearest = nearest_begin(word);
    for (const struct option_spec *spec = command->options; spec->name != NULL; spec++)
        nearest_try(&nearest, spec->name);
    for (const struct option_spec *spec = common; spec->name != NULL; spec++)
        nearest_try(&nearest, spec->name);
    return nearest.name;
}

/* getopt_long takes the begin of a name for the name, if no other one begins so. */
static bool is_short_for_several(const struct command *command, const char *word)
{
    size_t size = strcspn(word, "=");
    for (const struct option_spec *spec = command->options; spec->name != NULL; spec++)
        if (strncmp(spec->name, word, size) == 0)
            return true;
    return false;
}

static enum options_result unknown_option(const struct command *command, const char *option)
{
    const char *word = strncmp(option, "--", 2) == 0 ? option + 2 : "";
    if (*word != '\0' && is_short_for_several(command, word))
        return usage(command, "%s%soption '%s' is short for several", command->name, colon(command),
                     option);
    const char *name = nearest_option(command, word);
    if (name == NULL)
        return usage(command, "%s%soption '%s' is unknown", command->name, colon(command), option);
    return usage(command, "%s%soption '%s' is unknown; did you mean '--%s'?", command->name,
                 colon(command), option, name);
}

/* `word` is the argument at which getopt failed; getopt has set optopt. */
static enum options_result wrong_option(const struct command *command, int code, const char *word)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    const char *option = optopt > 0 && optopt < 256 ? letter : word;
    const char *why = code == ':' ? "needs a value" : "takes no value";
    if (code != ':' && optopt < 256)
        return unknown_option(command, option);
    return usage(command, "%s%soption '%s' %s", command->name, colon(command), option, why);
}

static enum options_result take_files(struct operand_list *operands, const struct command *command)
{
    static char *const from_stdin[] = {"-", NULL};
    if (operands->count == 0) {
        if (isatty(STDIN_FILENO) == 1)
            return usage(command, "%s%sno file given, and stdin is a terminal", command->name,
                         colon(command));
        *operands = (struct operand_list){from_stdin, 1};
    }
    if (command->operands == OPERANDS_FILE && operands->count > 1)
        return usage(command, "%s%stakes one file, not %d", command->name, colon(command),
                     operands->count);
    return OPTIONS_RUN;
}

static enum options_result take_operands(struct operand_list *operands,
                                         const struct command *command, int argc, char **argv)
{
    *operands = (struct operand_list){argv + optind, argc - optind};
    switch (command->operands) {
    case OPERANDS_FILES:
    case OPERANDS_FILE:
        return take_files(operands, command);
    case OPERANDS_COMMAND:
        return OPTIONS_RUN;
    case OPERANDS_NONE:
        break;
    }
    if (operands->count == 0)
        return OPTIONS_RUN;
    return usage(command, "%s%stakes no operand: '%s'", command->name, colon(command),
                 operands->it[0]);
}

enum options_result options_parse(void *options, struct operand_list *operands,
                                  const struct command *command, int argc, char **argv)
{
    struct table table = {.count = 0};
    if (command->operands == OPERANDS_COMMAND)
        strcat(table.shorts, "+");
    strcat(table.shorts, ":");
    add(&table, command->options);
    add(&table, common);
    opterr = 0;
    optind = 1;
    for (;;) {
        int code = getopt_long(argc, argv, table.shorts, table.longs, NULL);
        if (code == -1)
            return take_operands(operands, command, argc, argv);
        const struct option_spec *spec = found(&table, code);
        if (spec == NULL)
            spec = found_old(command, code);
        if (spec == NULL)
            return wrong_option(command, code, argv[optind - 1]);
        if (spec == &common[0]) {
            print_help(command);
            return OPTIONS_DONE;
        }
        if (spec == &common[1]) {
            print_version();
            return OPTIONS_DONE;
        }
        if (!spec->set((char *)options + spec->member, spec, optarg)) {
            usage(command, "invalid argument '%s' of --%s", optarg != NULL ? optarg : "",
                  spec->name);
            print_option(stderr, spec);
            return OPTIONS_USAGE;
        }
    }
}
