/* fxt merge: several traces as one. Inputs are read once, or twice if their times must be known
   before. */
#include <string.h>
#include <sys/mman.h>

#include <fxt/write.h>

#include "src/cli/memory.h"
#include "src/cli/output.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/edit/merge.h"
#include "src/tools/fxt/edit/systems.h"
#include "src/tools/fxt/edit/times.h"

enum merge_align { MERGE_ALIGN_NONE, MERGE_ALIGN_START, MERGE_ALIGN_WALL, MERGE_ALIGN_OFFSET };

enum merge_ids { MERGE_IDS_SEPARATE, MERGE_IDS_SAME };

enum merge_koids { MERGE_KOIDS_AUTO, MERGE_KOIDS_SEPARATE, MERGE_KOIDS_SAME };

#define MERGE_FILES_MAX 1024

struct merge_options {
    struct options common; /* the first member */
    enum merge_align align;
    const char *offsets; /* with --align=offset= */
    enum merge_ids ids;
    enum merge_koids koids;
};

/* What an input says of time. */
struct origin {
    uint64_t first; /* the first time, in ns; UINT64_MAX: none */
    bool has_wall;
    uint64_t wall; /* the wall-clock time, in ns, at time 0 */
};

/* ---- origins */

/* The two words that some writers add to an initialization record: a tick, and the wall-clock time
   in ns at that tick. */
static void take_wall(struct origin *origin, const struct fxt_initialization *initialization)
{
    if (origin->has_wall || initialization->tail.words < 2 || initialization->ticks_per_second == 0)
        return;
    uint64_t tick = fxt_tail_word(&initialization->tail, 0);
    origin->wall = fxt_tail_word(&initialization->tail, 1) -
                   fxt_ticks_to_ns(tick, initialization->ticks_per_second);
    origin->has_wall = true;
}

/* Reads an input for what it says of time and of its system. */
static enum exit_code find_origin(struct origin *origin, struct systems *systems, uint32_t file,
                                  struct stream *stream, const struct options *options)
{
    static struct walk walk;
    static struct item item;
    *origin = (struct origin){.first = UINT64_MAX};
    if (!walk_begin(&walk, stream, options, false))
        return EXIT_IO;
    while (walk_next(&walk, &item)) {
        if (item.timed && item.time < origin->first)
            origin->first = item.time;
        if (item.kind == FXT_KIND_INITIALIZATION)
            take_wall(origin, &item.any.initialization);
        if (!systems_take(systems, &walk, &item, file)) {
            message("merge: not enough memory for the names of processes");
            return EXIT_IO;
        }
    }
    return EXIT_CLEAN;
}

/* The shifts that make equal what the origins say, to the earliest. */
static bool align(int64_t *shifts, const struct origin *origins,
                  const struct merge_options *options)
{
    bool by_wall = options->align == MERGE_ALIGN_WALL;
    int count = options->common.operands.count;
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < count; i++) {
        uint64_t at = by_wall ? origins[i].wall : origins[i].first;
        if (by_wall && !origins[i].has_wall) {
            message("merge: %s: the trace does not say its wall-clock time (a tick and a time "
                    "behind the tick rate of an initialization record); take --align=offset=TIME",
                    options->common.operands.it[i]);
            return false;
        }
        if (at < least)
            least = at;
    }
    for (int i = 0; i < count; i++) {
        uint64_t at = by_wall ? origins[i].wall : origins[i].first;
        uint64_t distance = at == UINT64_MAX ? 0 : at - least;
        if (distance > INT64_MAX) {
            message("merge: %s: begins more than 292 years after the others",
                    options->common.operands.it[i]);
            return false;
        }
        shifts[i] = by_wall ? (int64_t)distance : -(int64_t)distance;
    }
    return true;
}

/* ---- offsets */

/* The shifts of the files behind the first one, with commas between them. */
static bool parse_offsets(int64_t *shifts, int count, const char *list)
{
    char text[64];
    for (int i = 1; *list != '\0'; i++) {
        size_t length = strcspn(list, ",");
        if (length >= sizeof text)
            return false;
        memcpy(text, list, length);
        text[length] = '\0';
        int64_t shift;
        if (!times_parse_shift(&shift, text) || (count > 0 && i >= count))
            return false;
        if (count > 0)
            shifts[i] = shift;
        list += length + (list[length] == ',');
    }
    return true;
}

/* ---- the command */

/* EXIT_IO after a message: the input cannot be merged. */
static enum exit_code merge_stream(struct merge *merge, struct stream *stream,
                                   const struct options *options, int64_t shift)
{
    static struct walk walk;
    static struct item item;
    merge_begin(merge, stream->input.raw.name, shift);
    if (!walk_begin(&walk, stream, options, true))
        return EXIT_IO;
    while (!merge->out->failed && walk_next(&walk, &item))
        if (!merge_record(merge, &walk, &item))
            return EXIT_IO;
    merge->trace++;
    return walk_end(&walk);
}

static void put_magic(struct fxt_out *out)
{
    uint8_t bytes[FXT_WORD_BYTES];
    struct fxt_writer writer;
    fxt_writer_init(&writer, bytes, sizeof bytes);
    fxt_write_magic(&writer);
    fxt_out_bytes(out, (const char *)bytes, sizeof bytes);
}

static bool needs_times(const struct merge_options *options)
{
    return options->align == MERGE_ALIGN_START || options->align == MERGE_ALIGN_WALL;
}

struct inputs {
    struct stream streams[MERGE_FILES_MAX];
    struct origin origins[MERGE_FILES_MAX];
    int64_t shifts[MERGE_FILES_MAX];
    int count; /* open ones */
    struct systems systems;
    struct merge merge;
};

/* Opens the inputs, all of them, so that a file that is missing is told at once. */
static enum exit_code open_all(struct inputs *inputs, const struct merge_options *options)
{
    bool twice = needs_times(options) ||
                 (options->koids == MERGE_KOIDS_AUTO && options->common.operands.count > 1);
    for (int i = 0; i < options->common.operands.count; i++) {
        struct stream *stream = &inputs->streams[i];
        const char *path = options->common.operands.it[i];
        enum exit_code code =
            (twice ? stream_open_kept : stream_open)(stream, path, &options->common);
        if (code != EXIT_CLEAN)
            return code;
        inputs->count++;
        if (twice && find_origin(&inputs->origins[i], &inputs->systems, (uint32_t)i, stream,
                                 &options->common) != EXIT_CLEAN)
            return EXIT_IO;
        bool failed = twice && stream_failed(stream);
        if (twice && !stream_rewind(stream))
            return EXIT_IO;
        if (failed) /* a pipe may have no end: none is copied for a merge that has failed */
            twice = needs_times(options);
    }
    return EXIT_CLEAN;
}

static bool have_same_koids(const struct inputs *inputs, const struct merge_options *options)
{
    const struct systems *systems = &inputs->systems;
    const struct systems_clash *clash = &systems->clash;
    struct fxt_bytes names[2];
    if (options->koids != MERGE_KOIDS_AUTO || !systems->differ)
        return options->koids != MERGE_KOIDS_SEPARATE;
    for (int i = 0; i < 2; i++)
        names[i] = texts_at(&systems->texts, clash->names[i]);
    message("merge: process %llu is '%.*s' in %s and '%.*s' in %s: the koids of the files are kept "
            "apart; --koids=same joins them",
            (unsigned long long)clash->koid, (int)names[0].size, (const char *)names[0].bytes,
            options->common.operands.it[clash->files[0]], (int)names[1].size,
            (const char *)names[1].bytes, options->common.operands.it[clash->files[1]]);
    return false;
}

static enum exit_code merge_all(struct inputs *inputs, const struct merge_options *options,
                                struct fxt_out *out)
{
    enum exit_code code = EXIT_CLEAN;
    inputs->merge.out = out;
    inputs->merge.same_ids = options->ids == MERGE_IDS_SAME;
    inputs->merge.same_koids = have_same_koids(inputs, options);
    put_magic(out);
    for (int i = 0; i < inputs->count; i++) {
        enum exit_code one =
            merge_stream(&inputs->merge, &inputs->streams[i], &options->common, inputs->shifts[i]);
        if (one == EXIT_IO)
            return one;
        code = exit_worse(code, one);
    }
    if (!inputs->merge.crowded)
        return code;
    message("merge: the files have ids with more than %u different top 16 bits: ids of two files "
            "may be equal",
            MERGE_TOPS);
    return exit_worse(code, EXIT_FINDINGS);
}

static enum exit_code merge_inputs(struct inputs *inputs, const struct merge_options *options,
                                   struct output *output, bool *is_read)
{
    enum exit_code code = open_all(inputs, options);
    if (code != EXIT_CLEAN)
        return code;
    if (needs_times(options) && !align(inputs->shifts, inputs->origins, options))
        return EXIT_IO;
    *is_read = true;
    return merge_all(inputs, options, &output->out);
}

static bool is_usable(struct inputs *inputs, const struct merge_options *options)
{
    int count = options->common.operands.count;
    if (count > MERGE_FILES_MAX)
        message("merge: takes at most %d files, not %d", MERGE_FILES_MAX, count);
    else if (options->align == MERGE_ALIGN_OFFSET &&
             !parse_offsets(inputs->shifts, count, options->offsets))
        message("merge: --align=offset= has more times than there are files behind the first one");
    else
        return !options_read_stdin_twice(&options->common, "merge");
    return false;
}

static enum exit_code run(const void *given)
{
    const struct merge_options *options = given;
    struct output output;
    bool is_read = false;
    struct inputs *inputs = memory_zeroed(sizeof *inputs);
    if (inputs == NULL)
        return EXIT_IO;
    if (!is_usable(inputs, options))
        return EXIT_USAGE;
    if (!output_open_trace(&output, options->common.output))
        return EXIT_IO;
    enum exit_code code = EXIT_IO;
    if (systems_init(&inputs->systems))
        code = merge_inputs(inputs, options, &output, &is_read);
    for (int i = 0; i < inputs->count; i++)
        code = exit_worse(code, stream_close(&inputs->streams[i]));
    map_clear(&inputs->merge.taken);
    systems_koids_free(&inputs->merge.koids);
    systems_free(&inputs->systems);
    munmap(inputs, sizeof *inputs);
    return output_end(&output, code, is_read);
}

static bool set_align(void *member, const struct option_spec *spec, const char *value)
{
    struct merge_options *options = member;
    static const char *const words[] = {
        [MERGE_ALIGN_NONE] = "none", [MERGE_ALIGN_START] = "start", [MERGE_ALIGN_WALL] = "wall"};
    static const char offset[] = "offset=";
    (void)spec;
    for (options->align = 0; options->align < MERGE_ALIGN_OFFSET; options->align++)
        if (strcmp(value, words[options->align]) == 0)
            return true;
    if (strncmp(value, offset, sizeof offset - 1) != 0)
        return false;
    options->offsets = value + sizeof offset - 1;
    return *options->offsets != '\0' && parse_offsets(NULL, 0, options->offsets);
}

static const struct merge_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_merge[] = {
    {"align", 0, "none|start|wall|offset=TIME,...",
     "make these times equal, or shift each file (none)", set_align, 0},
    {"ids", 0, "separate|same", "async and flow ids: separate in each file, or the same (separate)",
     option_choice, offsetof(struct merge_options, ids)},
    {"koids", 0, "auto|separate|same",
     "koids: apart if a process has two names, apart, or the same (auto)", option_choice,
     offsetof(struct merge_options, koids)},
    OPTION_MAX_FINDINGS,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('a', "align"),
    OPTION_END,
};

const struct command command_merge = {
    .name = "merge",
    .title = "Makes one trace of several: providers, ids and clocks of each stay apart.",
    .usage = "[FILE]...",
    .options = options_of_merge,
    .operands = OPERANDS_FILES,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
