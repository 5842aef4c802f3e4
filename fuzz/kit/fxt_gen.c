/* fxt-gen: traces in which nothing is wrong, or exactly one thing.
   cc -O2 -o fxt-gen fxt_gen.c fxt_fuzz.c */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fxt_fuzz.h"

static const char usage[] =
    "usage: fxt-gen [OPTION]...\n"
    "Writes a generated trace to standard output. Equal options give equal bytes.\n"
    "\n"
    "  --seed=S         any number, decimal or 0x... (1)\n"
    "  --records=N      how many records, the magic number included (100)\n"
    "  --edition=E      2020, or current (current)\n"
    "  --kinds=LIST     kinds of records, events and arguments, such as tables,events,-counter;\n"
    "                   --list-kinds lists them (all). A counter needs a numeric argument,\n"
    "                   arguments a record that has them, an end its begin\n"
    "  --invalid=RULE   break this one rule; or any; or one of a class: malformed, nonconforming,\n"
    "                   suspicious. Prints the rule and the offset to stderr. What breaks it may\n"
    "                   be of another kind than --kinds has\n"
    "  --mutate=N       then mutate the trace N times\n"
    "  --list-rules[=CLASS]\n"
    "                   the rules that --invalid can break in this edition; of a class\n"
    "  --list-kinds     the kinds, one a line; the groups tables, events, args and all are not "
    "listed\n"
    "  -h, --help       print this help\n";

static uint64_t mutations;

static int fail_see(const char *what, const char *which, const char *lists)
{
    fprintf(stderr, "fxt-gen: %s '", what);
    for (; *which != '\0'; which++)
        fprintf(stderr, *which < ' ' || *which > '~' ? "\\x%02x" : "%c", (unsigned char)*which);
    fprintf(stderr, "'; %s\n", lists);
    return 2;
}

/* The first word of a list. */
static const char *word_of(const char *list)
{
    static char word[100];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(list, ","), list);
    return word;
}

static int fail(const char *what, const char *which)
{
    return fail_see(what, which, "--help lists the options");
}

static int write_failed(const char *what)
{
    fprintf(stderr, "fxt-gen: cannot write the %s: %s\n", what, strerror(errno));
    return 3;
}

/* A whole trace in memory, mutated. */
static int mutate(fxt_fuzz_generator *generator, uint64_t seed)
{
    size_t size = 0, room = 1 << 20, more;
    uint8_t *bytes = malloc(room);
    while (bytes != NULL && (more = fxt_fuzz_generator_next(generator, bytes + size)) > 0) {
        size += more;
        if (room - size < 2 * FXT_FUZZ_RECORD_MAX)
            bytes = realloc(bytes, room *= 2);
    }
    if (bytes == NULL) {
        fputs("fxt-gen: not enough memory\n", stderr);
        return 3;
    }
    for (uint64_t i = 0; i < mutations; i++)
        size = fxt_fuzz_mutate(bytes, size, room, seed + i);
    int bad = fwrite(bytes, 1, size, stdout) != size ? write_failed("trace") : 0;
    free(bytes);
    return bad;
}

static int generate(fxt_fuzz_generator *generator)
{
    static uint8_t record[FXT_FUZZ_RECORD_MAX];
    size_t size;
    while ((size = fxt_fuzz_generator_next(generator, record)) > 0)
        if (fwrite(record, 1, size, stdout) != size)
            return write_failed("trace");
    return 0;
}

/* Except trace_info, whose only valid record is the magic number. */
static void say_left_out(uint64_t kinds, const char *before)
{
    for (unsigned bit = 0; fxt_fuzz_kind(bit) != NULL; bit++)
        if ((kinds >> bit & 1) != 0 && strcmp(fxt_fuzz_kind(bit), "trace_info") != 0) {
            fprintf(stderr, "%s%s", before, fxt_fuzz_kind(bit));
            before = ", ";
        }
    if (*before == ',')
        fputs("\n", stderr);
}

/* Says what of `kinds` is left out. Whether anything is made. */
static int explain(uint64_t kinds, int edition)
{
    const char *bad;
    uint64_t all = fxt_fuzz_kinds("all", &bad), ever = kinds & fxt_fuzz_kinds_made(kinds, 0);
    uint64_t made = kinds & fxt_fuzz_kinds_made(kinds, edition);
    if (kinds == 0 || kinds == all)
        return 1;
    if (made == 0) {
        fputs(ever != 0
                  ? "fxt-gen: edition 2020 has none of these kinds\n"
                  : "fxt-gen: no trace has these kinds alone; --help says what some of them need\n",
              stderr);
        return 0;
    }
    say_left_out(kinds & ~ever, "fxt-gen: left out, because --kinds lacks what they need: ");
    say_left_out(ever & ~made, "fxt-gen: left out of edition 2020: ");
    return 1;
}

static int run(const struct fxt_fuzz_options *options)
{
    uint64_t offset;
    if (options->invalid == NULL && !explain(options->kinds, options->edition))
        return 2;
    if (isatty(STDOUT_FILENO)) {
        fputs("fxt-gen: a trace is not written to a terminal; redirect the output to a file\n",
              stderr);
        return 2;
    }
    fxt_fuzz_generator *generator = fxt_fuzz_generator_create(options);
    if (generator == NULL)
        return fail_see("no such rule, or not in this edition:",
                        options->invalid ? options->invalid : "", "--list-rules lists them");
    int bad = mutations > 0 ? mutate(generator, options->seed) : generate(generator);
    if (bad == 0 && fflush(stdout) != 0)
        bad = write_failed("trace");
    const char *broken = fxt_fuzz_generator_broken(generator, &offset);
    if (bad == 0 && broken != NULL &&
        fprintf(stderr, "%s @ 0x%" PRIx64 "%s\n", broken, offset,
                mutations > 0 ? " before the mutations" : "") < 0)
        bad = write_failed("rule");
    fxt_fuzz_generator_free(generator);
    return bad;
}

static int end_list(int bad)
{
    return bad || fflush(stdout) != 0 ? write_failed("list") : 0;
}

static int list_kinds(void)
{
    int bad = 0;
    for (unsigned bit = 0; !bad && fxt_fuzz_kind(bit) != NULL; bit++)
        bad = puts(fxt_fuzz_kind(bit)) < 0;
    return end_list(bad);
}

/* Those of a class, or with "" all. */
static int list_rules(const char *class, int edition)
{
    int bad = 0;
    const char *rule;
    for (unsigned i = 0; !bad && (rule = fxt_fuzz_rule(i, edition)) != NULL; i++)
        if (*class == '\0' || strcmp(class, fxt_fuzz_rule_class(rule)) == 0)
            bad = puts(rule) < 0;
    return end_list(bad);
}

static int is_class(const char *name)
{
    return strcmp(name, "malformed") == 0 || strcmp(name, "nonconforming") == 0 ||
           strcmp(name, "suspicious") == 0;
}

/* Decimal, or hexadecimal after 0x; never octal. */
static int number(const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    *out = strtoull(text, &end, strncmp(text, "0x", 2) == 0 ? 16 : 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

/* Whether `argument` is the option: its value is what follows '=', or the next argument. */
static const char *value_of(const char *name, int *i, char **argv)
{
    size_t size = strlen(name);
    if (strncmp(argv[*i], name, size) != 0)
        return NULL;
    if (argv[*i][size] == '=')
        return argv[*i] + size + 1;
    return argv[*i][size] == '\0' && argv[*i + 1] != NULL ? argv[++*i] : NULL;
}

int main(int argc, char **argv)
{
    struct fxt_fuzz_options options = {.seed = 1, .records = 100};
    const char *class = NULL;
    int kinds = 0;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i], *value, *bad;
        int good = 1;
        if ((value = value_of("--seed", &i, argv)) != NULL) {
            good = number(value, &options.seed);
        } else if ((value = value_of("--records", &i, argv)) != NULL) {
            good = number(value, &options.records);
        } else if ((value = value_of("--mutate", &i, argv)) != NULL) {
            good = number(value, &mutations);
        } else if ((value = value_of("--edition", &i, argv)) != NULL) {
            good = strcmp(value, "2020") == 0 || strcmp(value, "current") == 0;
            options.edition = strcmp(value, "2020") == 0 ? 2020 : 0;
        } else if ((value = value_of("--kinds", &i, argv)) != NULL) {
            options.kinds = fxt_fuzz_kinds(value, &bad);
            if (options.kinds == 0)
                return bad != NULL
                           ? fail_see("no such kind:", word_of(bad), "--list-kinds lists them")
                           : fail_see("no kind is left in", value, "name one to begin with");
        } else if ((value = value_of("--invalid", &i, argv)) != NULL) {
            options.invalid = value;
        } else if (strcmp(argument, "--list-rules") == 0) {
            class = "";
        } else if (strncmp(argument, "--list-rules=", 13) == 0) {
            class = argument + 13;
            good = is_class(class);
        } else if (strcmp(argument, "--list-kinds") == 0) {
            kinds = 1;
        } else if (strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0) {
            return fputs(usage, stdout) < 0 || fflush(stdout) != 0 ? write_failed("help") : 0;
        } else {
            return fail("unknown option, or an option without its value:", argument);
        }
        if (!good)
            return fail(argument == argv[i] ? "bad value in" : "bad value of", argument);
    }
    if (class != NULL)
        return list_rules(class, options.edition);
    if (kinds)
        return list_kinds();
    return run(&options);
}
