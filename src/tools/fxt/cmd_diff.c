/* fxt diff: what two traces say differently. Both are read at once, a record of each by turns;
   records of equal meaning cancel out, so memory grows with what differs. The order of records is
   not compared: a trace has none. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "src/convert/convert.h"
#include "src/cli/finding.h"
#include "src/cli/memory.h"
#include "src/cli/output.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/edit/balance.h"

struct side {
    struct stream stream;
    struct walk walk;
    struct item item;
    int32_t step; /* 1: the first file, -1: the second one */
};

struct diff_options {
    struct options common; /* the first member */
    unsigned ignore;       /* bits of meaning.h */
    bool lines;
    bool quiet;
};

struct diff {
    const struct diff_options *options;
    struct fxt_out *out;
    int open; /* streams */
    struct meaning_rules rules;
    struct side sides[2];
    struct balance balance;
};

static const char *name_of(const struct side *side)
{
    return side->stream.input.raw.name;
}

/* ---- comparing */

static bool take(struct diff *diff, struct side *side)
{
    struct meaning meaning;
    if (!walk_next(&side->walk, &side->item))
        return false;
    if (meaning_of(&meaning, &side->walk, &side->item, &diff->rules))
        balance_add(&diff->balance, &meaning, side->item.kind, side->step);
    return true;
}

static enum exit_code compare(struct diff *diff)
{
    struct side *a = &diff->sides[0];
    struct side *b = &diff->sides[1];
    struct fxt_check_memory memory;
    bool reports = !diff->options->quiet;
    if (!walk_begin(&a->walk, &a->stream, &diff->options->common, reports) ||
        !walk_begin(&b->walk, &b->stream, &diff->options->common, reports) ||
        !memory_get_second(&memory))
        return EXIT_IO;
    fxt_tables_init(&b->walk.tables, &memory.tables);
    bool goes_on[2] = {true, true};
    while (goes_on[0] || goes_on[1]) {
        goes_on[0] = goes_on[0] && take(diff, a);
        goes_on[1] = goes_on[1] && take(diff, b);
    }
    return exit_worse(walk_end(&a->walk), walk_end(&b->walk));
}

/* ---- printing */

static void print_count(struct fxt_out *out, uint64_t count, const char *kind, const char *file)
{
    if (count == 0)
        return;
    fxt_out_u64(out, count);
    fxt_out_char(out, ' ');
    fxt_out_text(out, kind);
    fxt_out_text(out, " only in ");
    shown_string(out, file);
    fxt_out_char(out, '\n');
}

static void print_summary(const struct diff *diff)
{
    uint64_t counts[2][FXT_KIND_COUNT] = {{0}, {0}};
    const struct map *map = &diff->balance.counts;
    for (uint32_t i = 0; map->it != NULL && i <= map->mask; i++) {
        int32_t count = balance_count(map->it[i].value);
        if (map->it[i].used)
            counts[count < 0][map->it[i].key[2]] += (uint64_t)(count < 0 ? -count : count);
    }
    for (enum fxt_kind kind = 0; kind < FXT_KIND_COUNT; kind++)
        for (int side = 0; side < 2; side++)
            print_count(diff->out, counts[side][kind], fxt_kind_name(kind),
                        name_of(&diff->sides[side]));
}

/* Prints the records of a side that the other one lacks. */
static enum exit_code print_side(struct diff *diff, struct side *side)
{
    struct meaning meaning;
    if (!stream_rewind(&side->stream) ||
        !walk_begin(&side->walk, &side->stream, &diff->options->common, false))
        return EXIT_IO;
    while (!diff->out->failed && walk_next(&side->walk, &side->item)) {
        if (!meaning_of(&meaning, &side->walk, &side->item, &diff->rules))
            continue;
        int32_t count = balance_of(&diff->balance, &meaning, side->item.kind);
        if (count == 0 || (count > 0) != (side->step > 0))
            continue;
        fxt_out_char(diff->out, side->step > 0 ? '-' : '+');
        fxt_convert_text_record(diff->out, &side->walk.tables, side->item.record);
        balance_add(&diff->balance, &meaning, side->item.kind, -side->step);
    }
    return EXIT_CLEAN;
}

static enum exit_code print_lines(struct diff *diff)
{
    enum exit_code code = EXIT_CLEAN;
    for (int i = 0; i < 2; i++) {
        fxt_out_text(diff->out, i == 0 ? "--- " : "+++ ");
        shown_string(diff->out, name_of(&diff->sides[i]));
        fxt_out_char(diff->out, '\n');
    }
    for (int i = 0; i < 2; i++)
        code = exit_worse(code, print_side(diff, &diff->sides[i]));
    return code;
}

static enum exit_code print(struct diff *diff)
{
    if (balance_is_even(&diff->balance))
        return EXIT_CLEAN;
    if (diff->balance.full) {
        message("%s and %s differ, in too many records to tell which", name_of(&diff->sides[0]),
                name_of(&diff->sides[1]));
        return EXIT_FINDINGS;
    }
    if (diff->options->quiet)
        return EXIT_FINDINGS;
    if (diff->options->lines)
        return exit_worse(EXIT_FINDINGS, print_lines(diff));
    print_summary(diff);
    return EXIT_FINDINGS;
}

/* ---- the command */

static enum exit_code diff_files(struct diff *diff)
{
    enum exit_code code = EXIT_CLEAN;
    bool is_read_twice = diff->options->lines && !diff->options->quiet;
    for (int i = 0; i < 2; i++) {
        const char *path = diff->options->common.operands.it[i];
        struct stream *stream = &diff->sides[i].stream;
        diff->sides[i].step = i == 0 ? 1 : -1;
        enum exit_code opened =
            (is_read_twice ? stream_open_kept : stream_open)(stream, path, &diff->options->common);
        if (opened != EXIT_CLEAN)
            return EXIT_IO;
        diff->open++;
    }
    code = compare(diff);
    return code == EXIT_IO ? code : exit_worse(code, print(diff));
}

static enum exit_code run(const void *given)
{
    const struct diff_options *options = given;
    struct output output;
    if (options->common.operands.count != 2) {
        message("diff: takes two files, not %d", options->common.operands.count);
        return EXIT_USAGE;
    }
    if (options_read_stdin_twice(&options->common, "diff"))
        return EXIT_USAGE;
    struct diff *diff = memory_zeroed(sizeof *diff);
    if (diff == NULL || !output_open(&output, options->common.output, &options->common.operands))
        return EXIT_IO;
    diff->rules.without = options->ignore;
    if (getentropy(&diff->rules.seed, sizeof diff->rules.seed) != 0)
        diff->rules.seed = (struct meaning){1, 1};
    diff->options = options;
    diff->out = &output.out;
    enum exit_code code = diff_files(diff);
    bool is_read = diff->open == 2;
    for (int i = 0; i < diff->open; i++)
        code = exit_worse(code, stream_close(&diff->sides[i].stream));
    map_clear(&diff->balance.counts);
    munmap(diff, sizeof *diff);
    return output_end(&output, code, is_read);
}

static const struct diff_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_diff[] = {
    {"lines", 0, NULL, "list the records that differ, as fxt dump prints them", option_bool,
     offsetof(struct diff_options, lines)},
    {"ignore", 'i', "times|ids|providers", "do not compare these; may be repeated", option_choices,
     offsetof(struct diff_options, ignore)},
    {"quiet", 'q', NULL, "print nothing", option_bool, offsetof(struct diff_options, quiet)},
    OPTION_MAX_FINDINGS,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('l', "lines"),
    OPTION_END,
};

const struct command command_diff = {
    .name = "diff",
    .title = "Compares what two traces say, however they are written.",
    .usage = "A B",
    .options = options_of_diff,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
