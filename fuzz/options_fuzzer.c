/* Command lines, and the configuration of the manager. The first byte selects one of them.

   A command line follows as arguments, each of which ends with a zero byte. What it sets, and its
   operands, are those of a second implementation of GNU's rules. A configuration follows as text. It
   is read only if it is JSON. Whatever is refused has a message, which is safe to print. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/lib/json.h"
#include "fuzz/lib/oracle.h"
#include "src/cli/options.h"
#include "src/manager/config.h"

#define ARGUMENTS_MAX 32
#define OPTIONS 5
#define BRIGHT 2 /* rows of the table */
#define NUMBER 3
#define HELP OPTIONS
#define VERSION (OPTIONS + 1)
#define NONE (-1)

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* What an option was set to, in order. */
struct options {
    struct {
        int option;
        const char *value;
    } set[ARGUMENTS_MAX * 64];
    size_t count;
};

static void note(struct options *options, int option, const char *value)
{
    options->set[options->count].option = option;
    options->set[options->count++].value = value;
}

static bool is_number(const char *value)
{
    return value[0] != '\0' && strspn(value, "0123456789") == strlen(value);
}

static bool is_truth(const char *value)
{
    return value == NULL || strcmp(value, "true") == 0 || strcmp(value, "false") == 0;
}

static int row_of(const struct option_spec *spec);

static bool set(void *options, const struct option_spec *spec, const char *value)
{
    int row = row_of(spec);
    note(options, row, value);
    return row == BRIGHT ? is_truth(value) : row != NUMBER || is_number(value);
}

static const struct option_spec table[] = {
    {"all", 'a', NULL, "no value", set, 0},
    {"along", 0, "TEXT", "a value, and no letter", set, 0},
    {"bright", 'b', "[=BOOL]", "a value that may be left out", set, 0},
    {"number", 'n', "N", "a value that may be wrong", set, 0},
    {"no", 0, NULL, "its name begins that of another one", set, 0},
    OPTION_END,
};

static int row_of(const struct option_spec *spec)
{
    return (int)(spec - table);
}

/* The second implementation. */

enum { TAKES_NONE, TAKES_ONE, MAY_TAKE };

static const struct {
    const char *name;
    char letter;
    int takes;
} rows[] = {{"all", 'a', TAKES_NONE},   {"along", 0, TAKES_ONE}, {"bright", 'b', MAY_TAKE},
            {"number", 'n', TAKES_ONE}, {"no", 0, TAKES_NONE},   {"help", 'h', TAKES_NONE},
            {"version", 0, TAKES_NONE}};

struct model {
    struct options set;
    char *operands[ARGUMENTS_MAX];
    int count;
    enum options_result result;
    bool ended;
};

static int find_name(const char *name, size_t length)
{
    int found = NONE;
    int candidates = 0;
    for (int i = 0; i <= VERSION; i++) {
        if (strncmp(rows[i].name, name, length) != 0)
            continue;
        if (strlen(rows[i].name) == length)
            return i;
        found = i;
        candidates++;
    }
    return candidates == 1 ? found : NONE;
}

static int find_letter(char letter)
{
    for (int i = 0; i <= VERSION; i++)
        if (letter != 0 && rows[i].letter == letter)
            return i;
    return NONE;
}

static void end(struct model *model, enum options_result result)
{
    model->result = result;
    model->ended = true;
}

static void take(struct model *model, int option, const char *value)
{
    if (option >= HELP) {
        end(model, OPTIONS_DONE);
        return;
    }
    note(&model->set, option, value);
    if ((option == BRIGHT && !is_truth(value)) || (option == NUMBER && !is_number(value)))
        end(model, OPTIONS_USAGE);
}

/* `value` is what stands behind it in its own argument. The next argument is *at. */
static void take_needed(struct model *model, int option, char *value, char **argv, int *at)
{
    if (rows[option].takes == TAKES_ONE && value == NULL)
        value = argv[*at] != NULL ? argv[(*at)++] : NULL;
    if (rows[option].takes == TAKES_ONE && value == NULL)
        end(model, OPTIONS_USAGE);
    else
        take(model, option, value);
}

static void take_long(struct model *model, char *text, char **argv, int *at)
{
    size_t length = strcspn(text, "=");
    int option = find_name(text, length);
    char *value = text[length] == '=' ? text + length + 1 : NULL;

    if (option == NONE || (value != NULL && rows[option].takes == TAKES_NONE))
        end(model, OPTIONS_USAGE);
    else
        take_needed(model, option, value, argv, at);
}

static void take_letters(struct model *model, char *text, char **argv, int *at)
{
    while (*text != '\0' && !model->ended) {
        int option = find_letter(*text++);
        bool rest = option != NONE && rows[option].takes == TAKES_ONE && *text != '\0';
        if (option == NONE)
            end(model, OPTIONS_USAGE);
        else
            take_needed(model, option, rest ? text : NULL, argv, at);
        if (rest)
            return;
    }
}

static void parse(struct model *model, enum operands operands, char **argv)
{
    bool only_operands = false;
    int at = 1;

    while (argv[at] != NULL && !model->ended) {
        char *text = argv[at++];
        if (only_operands || text[0] != '-' || text[1] == '\0') {
            model->operands[model->count++] = text;
            only_operands = only_operands || operands == OPERANDS_COMMAND;
        } else if (strcmp(text, "--") == 0) {
            only_operands = true;
        } else if (text[1] == '-') {
            take_long(model, text + 2, argv, &at);
        } else {
            take_letters(model, text + 1, argv, &at);
        }
    }
    bool too_many = (operands == OPERANDS_NONE && model->count > 0) ||
                    (operands == OPERANDS_FILE && model->count > 1);
    if (!model->ended)
        model->result = too_many ? OPTIONS_USAGE : OPTIONS_RUN;
}

/* What is said. */

static void check_message(const char *text, size_t size)
{
    FUZZ_CHECK(size > 6 && memcmp(text, "fuzz: ", 6) == 0 && text[size - 1] == '\n');
    for (size_t i = 0; i < size; i++)
        FUZZ_CHECK(((unsigned char)text[i] >= 0x20 && text[i] != 0x7f) || text[i] == '\n');
}

/* As options_parse does, with what it prints in memory. */
static enum options_result parse_and_listen(struct options *options, struct operand_list *operands,
                                            const struct command *command, int argc, char **argv)
{
    FILE *usual_out = stdout;
    FILE *usual_error = stderr;
    char *out = NULL;
    char *error = NULL;
    size_t out_size = 0;
    size_t error_size = 0;

    optind = 0; /* a program parses one line: getopt forgets the one before */
    getopt(1, argv, command->operands == OPERANDS_COMMAND ? "+" : "");
    stdout = open_memstream(&out, &out_size);
    stderr = open_memstream(&error, &error_size);
    FUZZ_CHECK(stdout != NULL && stderr != NULL);
    enum options_result result = options_parse(options, operands, command, argc, argv);
    fclose(stdout);
    fclose(stderr);
    stdout = usual_out;
    stderr = usual_error;
    FUZZ_CHECK((result == OPTIONS_DONE) == (out_size > 0));
    FUZZ_CHECK((result == OPTIONS_USAGE) == (error_size > 0));
    if (result == OPTIONS_USAGE)
        check_message(error, error_size);
    free(out);
    free(error);
    return result;
}

static bool is_same(const char *one, const char *other)
{
    return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

static void check_line(enum operands operands, int argc, char **argv)
{
    static struct options options;
    static struct model model;
    struct operand_list list = {NULL, 0};
    char *permuted[ARGUMENTS_MAX + 1];
    const struct command command = {
        .name = "line", .title = "", .usage = "", .options = table, .operands = operands};

    memset(&model, 0, sizeof model);
    options.count = 0;
    parse(&model, operands, argv);
    memcpy(permuted, argv, sizeof permuted);
    enum options_result result = parse_and_listen(&options, &list, &command, argc, permuted);
    FUZZ_CHECK(result == model.result);
    FUZZ_CHECK(options.count == model.set.count);
    for (size_t i = 0; i < options.count; i++) {
        FUZZ_CHECK(options.set[i].option == model.set.set[i].option);
        FUZZ_CHECK(is_same(options.set[i].value, model.set.set[i].value));
    }
    bool from_stdin = operands == OPERANDS_FILE && model.count == 0;
    FUZZ_CHECK(result != OPTIONS_RUN || list.count == (from_stdin ? 1 : model.count));
    for (int i = 0; result == OPTIONS_RUN && i < model.count; i++)
        FUZZ_CHECK(strcmp(list.it[i], model.operands[i]) == 0);
}

static void check_arguments(enum operands operands, const uint8_t *bytes, size_t size)
{
    char *argv[ARGUMENTS_MAX + 1] = {(char[]){"line"}};
    char *text = fuzz_need(size + 1, 1);
    int argc = 1;

    memcpy(text, bytes, size);
    for (char *at = text; at < text + size && argc < ARGUMENTS_MAX; at += strlen(at) + 1)
        argv[argc++] = at;
    check_line(operands, argc, argv);
    free(text);
}

/* The configuration. */

static void check_names(const struct fxt_i_config *config)
{
    for (size_t i = 0; i < config->category_count; i++) {
        size_t length = strlen(config->categories[i].name);
        FUZZ_CHECK(length >= 1 && length <= FXT_I_NAME_MAX);
        FUZZ_CHECK(strlen(config->categories[i].description) <= FXT_I_NAME_MAX);
    }
    for (size_t i = 0; i < config->group_count; i++)
        for (uint32_t k = 0; k < config->groups[i].members.count; k++) {
            size_t length = strlen(config->groups[i].members.names[k]);
            FUZZ_CHECK(length >= 1 && length <= FXT_I_NAME_MAX);
        }
}

static void check_config(const uint8_t *bytes, size_t size)
{
    struct fxt_i_config config = {0};
    char path[40];
    char message[200] = "";
    int file = memfd_create("config", MFD_CLOEXEC);

    FUZZ_CHECK(file >= 0 && write(file, bytes, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    int error = fxt_i_config_read(&config, path, message);
    close(file);
    FUZZ_CHECK((error != 0) == (message[0] != '\0') && strlen(message) < sizeof message);
    FUZZ_CHECK(error == 0 || (config.category_count == 0 && config.group_count == 0));
    if (error == 0)
        check_names(&config);
    FUZZ_CHECK(error != 0 || fuzz_json_valid((const char *)bytes, size));
    fxt_i_config_free(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const enum operands kinds[] = {OPERANDS_NONE, OPERANDS_COMMAND, OPERANDS_FILE};

    if (size == 0 || size > FUZZ_INPUT_MAX)
        return 0;
    if (bytes[0] % 4 == 3)
        check_config(bytes + 1, size - 1);
    else if (bytes[0] % 4 != 2 || isatty(STDIN_FILENO) == 0)
        check_arguments(kinds[bytes[0] % 4], bytes + 1, size - 1);
    return 0;
}
