/* The commands of fxt on any bytes, as a user runs them. What is shown, exported and salvaged is what its
   format asks for. What is cut, filtered and merged of a trace that is sound has its records and events,
   and is wrong in no way that the trace is not. README.md has each law. */
#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/lib/frame.h"
#include "fuzz/lib/image.h"
#include "fuzz/lib/json.h"
#include "fuzz/tools/laws.h"
#include "fuzz/tools/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Only compressed bytes that are damaged are a failure. Nothing ends in silence. */
static void check_end(const struct tool_result *result)
{
    bool is_damaged = strstr(result->said, " gzip input: ") != NULL ||
                      strstr(result->said, " zstd input: ") != NULL;
    FUZZ_CHECK(result->code == 0 || result->code == 1 || (result->code == 3 && is_damaged));
    FUZZ_CHECK(result->code == 0 || result->said[0] != '\0' || result->size > 0);
}

/* ---- what is shown */

static bool is_lines_of_json(const char *text, size_t size)
{
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        if (end == NULL || !fuzz_json_valid(text, (size_t)(end - text)))
            return false;
        size -= (size_t)(end + 1 - text);
        text = end + 1;
    }
    return true;
}

static bool is_lines(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\n') || text[i] == 0x7f)
            return false;
    return size == 0 || text[size - 1] == '\n';
}

static bool ends_with(const char *text, size_t size, const char *end)
{
    return size >= strlen(end) && memcmp(text + size - strlen(end), end, strlen(end)) == 0;
}

static bool is_page(const char *text, size_t size)
{
    return ends_with(text, size, "</html>\n");
}

static bool is_picture(const char *text, size_t size)
{
    return ends_with(text, size, "</svg>\n");
}

typedef void law(const struct model *model, const char *text, size_t size);

static const struct {
    const char *command;
    const char *option;
    bool (*is_good)(const char *text, size_t size);
    law *law; /* of its content, or NULL */
} ways[] = {
    {"json", "", fuzz_json_valid, law_json},
    {"html", "", is_page, law_html},
    {"stat", "", is_lines, NULL},
    {"stat", "--json", is_lines_of_json, NULL},
    {"dump", "", is_lines, NULL},
    {"dump", "--json", is_lines_of_json, NULL},
    {"dump", "--events", is_lines_of_json, NULL},
    {"report", "", is_lines, NULL},
    {"report", "--json", is_lines_of_json, law_report},
    {"report", "--csv", is_lines, NULL},
    {"report", "--folded", is_lines, NULL},
    {"report", "--flamegraph", is_picture, NULL},
};

static void check_shown(const struct tool_trace *trace, const struct model *model, size_t way)
{
    struct tool_result shown = TOOL(ways[way].command, ways[way].option, trace->file.path);
    check_end(&shown);
    FUZZ_CHECK(ways[way].is_good(shown.bytes, shown.size) || (shown.size == 0 && shown.code != 0));
    if (model != NULL && ways[way].law != NULL && shown.size > 0)
        ways[way].law(model, shown.bytes, shown.size);
    tool_release(&shown);
}

/* ---- events, as fxt dump --events prints them */

static bool is_of_kind(const char *line, const char *const *kinds)
{
    for (; *kinds != NULL; kinds++)
        if (strncmp(line + strlen("{\"event\":\""), *kinds, strlen(*kinds)) == 0)
            return true;
    return false;
}

struct lines {
    const char *at;
    const char *const *kinds;
    uint64_t from; /* from <= ns < to */
    uint64_t to;   /* UINT64_MAX: no end */
};

/* An event has its time behind its name, which escapes quotes. */
static bool is_wanted(const struct lines *lines)
{
    uint64_t ns;
    if (!is_of_kind(lines->at, lines->kinds))
        return false;
    return (lines->from == 0 && lines->to == UINT64_MAX) ||
           (tool_number(&ns, lines->at, "\"ns\"") && ns >= lines->from &&
            (ns < lines->to || lines->to == UINT64_MAX));
}

/* The next wanted line and its size; 0: there is none. */
static size_t next_line(struct lines *lines, const char **line)
{
    while (*lines->at != '\0') {
        size_t size = (size_t)(strchr(lines->at, '\n') + 1 - lines->at);
        *line = lines->at;
        bool wanted = is_wanted(lines);
        lines->at += size;
        if (wanted)
            return size;
    }
    return 0;
}

/* Whether the part has the same events of these kinds, and in the time span, as the whole; and the part
   has no others of these kinds. */
static void check_events(const struct tool_trace *whole, const struct tool_trace *part,
                         const char *const *kinds, uint64_t from, uint64_t to)
{
    struct lines wanted = {whole->events.bytes, kinds, from, to};
    struct lines found = {part->events.bytes, kinds, 0, UINT64_MAX};
    const char *one, *other;
    size_t size;
    do {
        size = next_line(&wanted, &one);
        FUZZ_CHECK(next_line(&found, &other) == size);
        FUZZ_CHECK(size == 0 || memcmp(one, other, size) == 0);
    } while (size > 0);
}

/* The end of a number behind this name; of another text its begin. */
static const char *skip_number(const char *text, const char *name)
{
    if (strncmp(text, name, strlen(name)) != 0)
        return text;
    return text + strlen(name) + strspn(text + strlen(name), "0123456789");
}

/* The same for the same events in any order, whatever their providers and ids. */
static uint64_t digest_events(const struct tool_trace *trace)
{
    uint64_t sum = 0, line = 0;
    for (const char *at = trace->events.bytes; *at != '\0'; at++) {
        at = skip_number(skip_number(at, "\"provider\":"), "\"id\":");
        line = (line ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
        if (*at == '\n') {
            sum += line;
            line = 0;
        }
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* How many ids of asyncs and flows differ; those of two traces in one file need not. */
static size_t count_ids(const struct tool_trace *trace)
{
    static uint64_t ids[FUZZ_INPUT_MAX];
    size_t count = 0, different = 0;
    for (const char *at = trace->events.bytes; *at != '\0'; at = strchr(at, '\n') + 1)
        count += is_of_kind(at, (const char *const[]){"async_", "flow_", NULL}) &&
                 tool_number(&ids[count], at, "\"id\"");
    qsort(ids, count, sizeof *ids, compare);
    for (size_t i = 0; i < count; i++)
        different += i == 0 || ids[i] != ids[i - 1];
    return different;
}

/* ---- tables */

/* What a command has written into a file of the directory, with a zero byte. */
static struct value read_table(int directory, const char *name)
{
    struct stat status;
    int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
    FUZZ_CHECK(fd >= 0 && fstat(fd, &status) == 0);
    size_t size = (size_t)status.st_size;
    char *text = fuzz_need(size + 1, 1);
    FUZZ_CHECK(read(fd, text, size) == (ssize_t)size);
    close(fd);
    FUZZ_CHECK(is_lines_of_json(text, size));
    return (struct value){text, text + size};
}

static void remove_tables(const char *path)
{
    DIR *directory = opendir(path);
    FUZZ_CHECK(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (strstr(entry->d_name, ".jsonl") != NULL) /* whatever it is called */
            free((void *)(uintptr_t)read_table(dirfd(directory), entry->d_name).at);
        if (entry->d_name[0] != '.')
            FUZZ_CHECK(unlinkat(dirfd(directory), entry->d_name, 0) == 0);
    }
    closedir(directory);
    FUZZ_CHECK(rmdir(path) == 0);
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    while ((text = strstr(text, word)) != NULL) {
        text += strlen(word);
        found++;
    }
    return found;
}

/* Each instant is in the tables if its time is. */
static void check_instants(const struct tool_trace *trace, const char *tables)
{
    struct lines lines = {trace->events.bytes, (const char *const[]){"instant", NULL}, 1,
                          INT64_MAX};
    size_t instants = 0;
    for (const char *line; next_line(&lines, &line) > 0;)
        instants++;
    FUZZ_CHECK(count(tables, "\"fxt_event\":\"instant\"") >= instants);
}

static void check_tables(const struct tool_trace *trace, const struct model *model,
                         const char *path)
{
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    FUZZ_CHECK(directory >= 0);
    const struct law_tables tables = {
        read_table(directory, "slice.jsonl"),        read_table(directory, "counter.jsonl"),
        read_table(directory, "flow.jsonl"),         read_table(directory, "fxt_flow_event.jsonl"),
        read_table(directory, "thread_state.jsonl"), read_table(directory, "sched_slice.jsonl")};
    const struct value *all[] = {&tables.slices,      &tables.counters, &tables.flows,
                                 &tables.flow_events, &tables.states,   &tables.scheds};
    check_instants(trace, tables.slices.at);
    law_export(model, &tables);
    law_sched(model, &tables);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free((void *)(uintptr_t)all[i]->at);
    close(directory);
}

/* The profile at `at`, behind its bracket: frames open and close like brackets, and no time goes back.
   A quote within a name has a backslash before it. */
static const char *check_profile(const char *at)
{
    static unsigned long open[FUZZ_INPUT_MAX / 8];
    size_t depth = 0;
    unsigned long long last = 0;
    for (; *at == '{' || *at == ','; at = strchr(at, '}') + 1) {
        char type;
        unsigned long frame;
        unsigned long long time;
        at += *at == ',';
        FUZZ_CHECK(
            sscanf(at, "{\"type\":\"%c\",\"frame\":%lu,\"at\":%llu}", &type, &frame, &time) == 3);
        FUZZ_CHECK(time >= last && (type == 'O' || type == 'C'));
        last = time;
        if (type == 'O') {
            FUZZ_CHECK(depth < sizeof open / sizeof *open);
            open[depth++] = frame;
        } else {
            FUZZ_CHECK(depth > 0 && open[depth - 1] == frame);
            depth--;
        }
    }
    FUZZ_CHECK(*at == ']' && depth == 0);
    return at;
}

static void check_stacks(const struct tool_trace *trace)
{
    struct tool_result shown = TOOL("export", "--format=speedscope", trace->file.path);
    check_end(&shown);
    FUZZ_CHECK(shown.size == 0 || fuzz_json_valid(shown.bytes, shown.size));
    for (const char *at = shown.size > 0 ? shown.bytes : NULL;
         at != NULL && (at = strstr(at, "\"events\":[")) != NULL;)
        at = check_profile(at + strlen("\"events\":["));
    tool_release(&shown);
}

/* The model is NULL if the trace is not sound. */
static void check_export(const struct tool_trace *trace, const struct model *model)
{
    char path[40];
    snprintf(path, sizeof path, "%s/fxt-fuzz-XXXXXX", tool_directory());
    FUZZ_CHECK(mkdtemp(path) != NULL);
    struct tool_result result = TOOL("export", "-o", path, trace->file.path);
    check_end(&result);
    if (model != NULL)
        check_tables(trace, model, path);
    remove_tables(path);
    tool_release(&result);
}

/* ---- buffers */

/* A core dump of up to three mappings, each of them the image, or some of its bytes. */
static size_t make_core(uint8_t *core, const uint8_t *image, size_t size, uint64_t *random)
{
    Elf64_Ehdr header = {.e_type = ET_CORE,
                         .e_phoff = sizeof header,
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = (Elf64_Half)(1 + fuzz_random(random) % 3)};
    size_t at = sizeof header + header.e_phnum * sizeof(Elf64_Phdr);
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    memcpy(core, &header, sizeof header);
    for (size_t i = 0; i < header.e_phnum; i++) {
        Elf64_Phdr segment = {.p_type = PT_LOAD, .p_offset = at, .p_filesz = size};
        if (fuzz_random(random) % 4 == 0)
            segment.p_filesz = fuzz_random(random) % 2 == 0 ? size + 1 : fuzz_random(random) % size;
        memcpy(core + sizeof header + i * sizeof segment, &segment, sizeof segment);
    }
    memcpy(core + at, image, size);
    return at + size;
}

/* What is salvaged is a trace, and sound. */
static void check_salvage(const uint8_t *bytes, size_t size, uint64_t *random)
{
    static uint8_t image[FUZZ_IMAGE_MAX], core[FUZZ_IMAGE_MAX + 4096];
    size_t total = fuzz_image(image, bytes, size);
    if (total == 0)
        return;
    bool is_core = fuzz_random(random) % 2 == 0;
    bool may_refuse = is_core || fuzz_word(image) != FXT_BUFFER_MAGIC; /* it may look compressed */
    struct tool_file file =
        is_core ? tool_file(core, make_core(core, image, total, random)) : tool_file(image, total);
    struct tool_result result = TOOL("salvage", file.path);
    FUZZ_CHECK(result.said[0] != '\0');
    FUZZ_CHECK(result.code == 0 || result.code == 1 || (result.code == 3 && may_refuse));
    if (result.size > 0) {
        struct tool_trace trace = tool_trace(result.bytes, result.size);
        FUZZ_CHECK(trace.is_sound);
        tool_trace_close(&trace);
    }
    FUZZ_CHECK(result.code != 0 || result.size > 0);
    tool_release(&result);
    tool_close(&file);
}

/* ---- JSON and back */

/* The next time of an event that is no name, is not before the base and ends on its line. */
static const char *next_ts(const char *json, size_t *size)
{
    while ((json = strstr(json, "\n{\"ph\":\"")) != NULL) {
        json += strlen("\n{\"ph\":\"");
        const char *at = json + strlen("X\",\"ts\":");
        if (*json == 'M' || *at == '-')
            continue;
        *size = strcspn(at, ",}");
        return at;
    }
    return NULL;
}

/* The same events have the same times, in the same order. */
static void check_times(const char *json, const char *again)
{
    size_t size = 0, other_size = 0;
    do {
        json = next_ts(json, &size);
        again = next_ts(again, &other_size);
        FUZZ_CHECK((json == NULL) == (again == NULL));
        FUZZ_CHECK(json == NULL || (size == other_size && memcmp(json, again, size) == 0));
    } while (json != NULL);
}

/* What is made of any JSON is a sound trace. */
static void check_import(const struct tool_trace *trace, uint64_t *random)
{
    struct tool_result json = TOOL("json", trace->file.path);
    bool is_damaged = json.size > 0 && fuzz_random(random) % 2 == 0;
    if (is_damaged && fuzz_random(random) % 4 == 0)
        json.size = fuzz_random(random) % json.size;
    else if (is_damaged)
        json.bytes[fuzz_random(random) % json.size] = (char)fuzz_random(random);
    struct tool_file file = tool_file(json.bytes, json.size);
    struct tool_result made = TOOL("import", "--raw", file.path);
    check_end(&made);
    if (made.size > 0) {
        struct tool_trace imported = tool_trace(made.bytes, made.size);
        FUZZ_CHECK(imported.is_sound);
        struct tool_result again = TOOL("json", "--absolute-times", imported.file.path);
        if (json.code == 0 && !is_damaged)
            check_times(json.bytes, again.bytes);
        tool_release(&again);
        tool_trace_close(&imported);
    }
    tool_release(&made);
    tool_close(&file);
    tool_release(&json);
}

/* ---- what is edited */

/* A part, with what is said of it. */
struct part {
    struct tool_result result;
    struct tool_trace trace;
};

static struct part part_of(const struct tool_trace *whole, const char *const *arguments, bool gaps)
{
    struct part part = {.result = tool_run(arguments)};
    bool may_refuse = strcmp(arguments[1], "--align=start") == 0; /* times that are too far */
    FUZZ_CHECK(part.result.code == 0 || part.result.code == 1 ||
               (may_refuse && part.result.code == 3));
    FUZZ_CHECK(part.result.code == 0 || part.result.said[0] != '\0');
    part.trace = tool_trace(part.result.bytes, part.result.size);
    tool_check_rules(whole, &part.trace, gaps);
    return part;
}

#define PART(whole, gaps, ...)                                                                     \
    part_of(whole, (const char *const[]){__VA_ARGS__, (whole)->file.path, NULL}, gaps)

static void release(struct part *part)
{
    tool_trace_close(&part->trace);
    tool_release(&part->result);
}

/* Only if events belong together as they should: without the others, an end may look like that of
   another begin. Of threads that nobody registered, fxt check does not say. */
static void check_same(const struct tool_trace *whole, const struct part *one,
                       const struct part *other)
{
    if (whole->has_odd_pairs || whole->rules[FXT_RULE_THR_02])
        return;
    FUZZ_CHECK(one->result.size == other->result.size);
    FUZZ_CHECK(memcmp(one->result.bytes, other->result.bytes, one->result.size) == 0);
}

/* The number of this name in one of the events. False: no event has one. */
static bool pick_number(uint64_t *number, const char *events, const char *name, uint64_t *random)
{
    uint64_t count = 0;
    uint64_t one;
    for (; *events != '\0'; events = strchr(events, '\n') + 1)
        if (tool_number(&one, events, name) && fuzz_random(random) % ++count == 0)
            *number = one;
    return count > 0;
}

/* The time of an event, or one more. */
static bool pick_time(uint64_t *ns, const char *events, uint64_t *random)
{
    bool has_time = pick_number(ns, events, "\"ns\"", random);
    if (has_time && *ns < UINT64_MAX)
        *ns += fuzz_random(random) % 2;
    return has_time;
}

/* begin <= end */
static bool pick_window(uint64_t *begin, uint64_t *end, const struct tool_trace *trace,
                        uint64_t *random)
{
    uint64_t one = 0, other = 0;
    const char *events = trace->events.bytes;
    bool has_times = pick_time(&one, events, random) && pick_time(&other, events, random);
    *begin = one < other ? one : other;
    *end = one < other ? other : one;
    return has_times;
}

/* A length in one of the units. */
static void spell_length(char *text, size_t size, uint64_t ns, uint64_t *random)
{
    static const struct {
        uint64_t ns;
        int places;
        const char *name;
    } units[] = {
        {1, 0, ""}, {1, 0, "ns"}, {1000, 3, "us"}, {1000000, 6, "ms"}, {1000000000, 9, "s"}};
    size_t i = fuzz_random(random) % 5;
    if (units[i].places == 0)
        snprintf(text, size, "%lu%s", ns, units[i].name);
    else
        snprintf(text, size, "%lu.%0*lu%s", ns / units[i].ns, units[i].places, ns % units[i].ns,
                 units[i].name);
}

/* A time of the trace, by its clock or, if the model says when the trace begins and ends, from there. */
static void spell_time(char *text, size_t size, const char *option, uint64_t ns,
                       const struct model *model, uint64_t *random)
{
    char length[40];
    uint64_t way = model != NULL ? fuzz_random(random) % 4 : 0;
    char sign = '@';
    if (way == 1 && model->begin <= ns) {
        sign = '+';
        ns -= model->begin;
    } else if (way == 2 && ns <= model->end && model->end < UINT64_MAX) {
        sign = '-';
        ns = model->end + 1 - ns;
    }
    spell_length(length, sizeof length, ns, random);
    snprintf(text, size, "%s%c%s", option, sign, length);
}

static void check_cut(const struct tool_trace *whole, const struct model *model, uint64_t *random)
{
    static const char *const hows[] = {"--open=keep", "--open=close", "--open=drop"};
    static const char *const instants[] = {"instant", NULL};
    struct law_window window = {.open = (enum law_open)(fuzz_random(random) % 3)};
    const char *how = hows[window.open];
    /* the end of a duration before its begin may be that of the trace */
    const struct model *span = model->is_good && !whole->rules[FXT_RULE_EVT_05] ? model : NULL;
    uint64_t begin, end;
    char from[64], to[64];

    if (!pick_window(&begin, &end, whole, random))
        return;
    window.from = begin;
    window.to = end;
    spell_time(from, sizeof from, "--from=", begin, span, random);
    spell_time(to, sizeof to, "--to=", end, span, random);
    struct part part = PART(whole, false, "cut", how, from, to);
    law_cut(model, model_of(part.result.bytes, part.result.size, 1), &window);
    snprintf(from, sizeof from, "--from=@%lu", begin);
    snprintf(to, sizeof to, "--to=@%lu", end);
    struct part again = PART(&part.trace, false, "cut", how, from, to);
    check_events(whole, &part.trace, instants, begin, end);
    if (window.open != LAW_CLOSE)
        tool_check_order(whole, &part.result);
    check_same(whole, &part, &again);
    release(&again);
    release(&part);
}

/* Options of a filter, and the events that are selected by their kind. */
struct choice {
    const char *options[2];
    const char *kinds[4];
};

static void filter_by(const struct tool_trace *whole, const struct choice *by, bool has_flows)
{
    bool brings = has_flows || strcmp(by->options[1], "-s") == 0;
    struct part part = PART(whole, true, "filter", by->options[0], by->options[1]);
    struct part rest = PART(whole, true, "filter", "--invert", by->options[0], by->options[1]);
    struct part again = PART(&part.trace, true, "filter", by->options[0], by->options[1]);
    tool_check_order(whole, &part.result);
    tool_check_order(whole, &rest.result);
    tool_check_halves(whole, &part.result, &rest.result, brings);
    if (by->kinds[0] != NULL)
        check_events(whole, &part.trace, by->kinds, 0, UINT64_MAX);
    check_same(whole, &part, &again);
    release(&again);
    release(&rest);
    release(&part);
}

/* By kind, and by what else an event has. */
static void check_filter(const struct tool_trace *whole, uint64_t *random)
{
    static const struct choice kinds[] = {
        {{"-kflow", ""}, {"flow_"}},
        {{"-kduration", "-kasync"}, {"duration_", "async_"}},
        {{"-kinstant", "-s"}, {"instant"}},
        {{"-kscheduling", "-kcounter"}, {"thread_wakeup", "context_switch", "counter"}},
    };
    char thread[40], process[40];
    const struct choice others[] = {
        {{"-n*e*", ""}, {NULL}},
        {{"-c*a*", ""}, {NULL}},
        {{thread, ""}, {NULL}},
        {{process, "-kduration"}, {NULL}},
    };
    uint64_t koid = 0;
    const char *events = whole->events.bytes;
    pick_number(&koid, events, "\"thread\"", random);
    snprintf(thread, sizeof thread, "-t%lu", koid);
    pick_number(&koid, events, "\"process\"", random);
    snprintf(process, sizeof process, "-p%lu", koid);
    bool has_flows = strstr(events, "{\"event\":\"flow_") != NULL;
    filter_by(whole, &kinds[fuzz_random(random) % 4], has_flows);
    filter_by(whole, &others[fuzz_random(random) % 4], has_flows);
}

/* A pattern for some text, most of which it may match. */
static void make_pattern(struct law_pattern *pattern, struct fxt_bytes text, uint64_t *random)
{
    size_t used = 0;
    uint64_t at = fuzz_random(random) % 2 == 0 ? 0 : fuzz_random(random) % (text.size + 1);
    if (at > 0 || fuzz_random(random) % 4 == 0)
        pattern->text[used++] = '*';
    while (at < text.size && used + 2 < sizeof pattern->text) {
        uint64_t way = fuzz_random(random) % 8;
        char one = (char)text.bytes[at++];
        pattern->text[used++] = way == 0 ? '*' : way == 1 || one == '\0' ? '?' : one;
        at += way == 0 ? fuzz_random(random) % 4 : 0;
    }
    if (at < text.size || used == 0)
        pattern->text[used++] = '*';
    pattern->text[used] = '\0';
}

/* A pattern that is made of a name or category of the trace. */
static void check_pattern(const struct tool_trace *whole, const struct model *model,
                          uint64_t *random)
{
    struct law_pattern pattern = {.is_category = fuzz_random(random) % 4 == 0};
    char option[80];
    if (!model->is_good || model->event_count == 0)
        return;
    const struct model_event *event = &model->events[fuzz_random(random) % model->event_count];
    make_pattern(&pattern, pattern.is_category ? event->category : event->name, random);
    snprintf(option, sizeof option, "--%s=%s", pattern.is_category ? "category" : "name",
             pattern.text);
    struct part part = PART(whole, true, "filter", option);
    law_filter(model, model_of(part.result.bytes, part.result.size, 1), &pattern);
    release(&part);
}

/* A trace and its first half, which is moved. */
static void check_shift(const struct tool_trace *whole, const struct model *model,
                        const struct tool_trace *half, uint64_t *random)
{
    char option[64], length[40];
    uint64_t ns = fuzz_random(random) >> 15;
    ns >>= fuzz_random(random) % 49;
    bool is_earlier = fuzz_random(random) % 2 == 0 && model->begin != UINT64_MAX &&
                      ns <= model->begin && !whole->rules[FXT_RULE_EVT_05];
    if (!model->is_good || model->has_rate || model->end > UINT64_MAX - ns)
        return;
    spell_length(length, sizeof length, ns, random);
    snprintf(option, sizeof option, "--align=offset=%s%s", is_earlier ? "-" : "", length);
    struct part part = PART(half, false, "merge", option, whole->file.path);
    FUZZ_CHECK(part.result.code == 0);
    law_merge(model, half->size, is_earlier ? -(int64_t)ns : (int64_t)ns,
              model_of(part.result.bytes, part.result.size, 1));
    release(&part);
}

/* A trace and its first half, as two traces. */
static void check_merge(const struct tool_trace *whole, const struct model *model, uint64_t *random)
{
    /* the end of a duration before its begin could be before 0 then */
    bool aligns = fuzz_random(random) % 2 == 0 && !whole->rules[FXT_RULE_EVT_05];
    const char *align = aligns ? "--align=start" : "--align=none";
    struct tool_trace half = tool_trace(whole->bytes, tool_half(whole));
    if (half.is_sound && half.size > 0) {
        for (int rule = 0; rule < FXT_RULE_COUNT; rule++)
            half.rules[rule] |= whole->rules[rule];
        check_shift(whole, model, &half, random);
        struct part one = PART(&half, false, "merge", align, whole->file.path);
        struct part other = part_of(
            &half, (const char *const[]){"merge", align, half.file.path, whole->file.path, NULL},
            false);
        struct tool_result differ =
            TOOL("diff", "-q", "-iids", one.trace.file.path, other.trace.file.path);
        FUZZ_CHECK(one.result.code == other.result.code);
        FUZZ_CHECK(one.result.code != 0 || differ.code == 0);
        FUZZ_CHECK(aligns ||
                   digest_events(&one.trace) == digest_events(whole) + digest_events(&half));
        FUZZ_CHECK(one.result.code == 3 ||
                   count_ids(&one.trace) >= count_ids(whole) + count_ids(&half));
        tool_release(&differ);
        release(&other);
        release(&one);
    }
    tool_trace_close(&half);
}

static void check_whole(const struct tool_trace *whole)
{
    struct tool_result differ = TOOL("diff", "-q", whole->file.path, whole->file.path);
    struct tool_result part = TOOL("cut", "-f0%", "-t100%", whole->file.path);
    FUZZ_CHECK(differ.code == 0);
    FUZZ_CHECK(part.size == whole->size && memcmp(part.bytes, whole->bytes, part.size) == 0);
    tool_release(&differ);
    tool_release(&part);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 8 || size > FUZZ_INPUT_MAX)
        return 0;
    uint64_t random = fuzz_control(bytes, size) + size;
    random += random == 0;
    struct tool_trace trace = tool_trace(bytes, size);
    const struct model *model = trace.is_sound ? model_of(bytes, size, 0) : NULL;
    check_shown(&trace, model, fuzz_random(&random) % (sizeof ways / sizeof *ways));
    if (fuzz_random(&random) % 4 == 0) {
        check_export(&trace, model);
        check_stacks(&trace);
    }
    if (fuzz_random(&random) % 4 == 0)
        check_salvage(bytes, size, &random);
    if (trace.is_sound) {
        check_whole(&trace);
        check_cut(&trace, model, &random);
        check_filter(&trace, &random);
        check_pattern(&trace, model, &random);
        check_merge(&trace, model, &random);
        law_diff(model, &trace, &random);
    }
    if (fuzz_random(&random) % 4 == 0)
        check_import(&trace, &random);
    tool_trace_close(&trace);
    return 0;
}
