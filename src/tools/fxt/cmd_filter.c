/* fxt filter: the records of a trace that the options select. Options of one name are alternatives;
   a record must match all names that are given. Of an operation its begin decides, so that the
   records that depend on each other stay together. A record without a field does not match an option
   that asks for it. A context switch is of the threads that it names. A backtrace brings the modules
   and mappings of its process. */
#include <string.h>
#include <sys/mman.h>

#include "src/cli/memory.h"
#include "src/tools/fxt/commands.h"
#include "src/tools/fxt/edit/edit.h"
#include "src/tools/fxt/edit/koids.h"
#include "src/tools/fxt/edit/patterns.h"

enum { BY_PROVIDER, BY_PROCESS, BY_THREAD, BY_CATEGORY, BY_NAME, BY_COUNT };

enum filter_kind {
    FILTER_INSTANT,
    FILTER_COUNTER,
    FILTER_DURATION,
    FILTER_ASYNC,
    FILTER_FLOW,
    FILTER_LOG,
    FILTER_BLOB,
    FILTER_SCHEDULING,
    FILTER_PROFILER,
    FILTER_UNKNOWN,
    FILTER_KINDS,
};

static const char *const kind_words[FILTER_KINDS] = {
    [FILTER_INSTANT] = "instant",   [FILTER_COUNTER] = "counter",
    [FILTER_DURATION] = "duration", [FILTER_ASYNC] = "async",
    [FILTER_FLOW] = "flow",         [FILTER_LOG] = "log",
    [FILTER_BLOB] = "blob",         [FILTER_SCHEDULING] = "scheduling",
    [FILTER_PROFILER] = "profiler", [FILTER_UNKNOWN] = "unknown",
};

/* The notes of an operation. */
enum {
    FILTER_BEGUN = 1, /* it has a begin */
    FILTER_MATCH = 2, /* a begin matches */
    FILTER_OTHER = 4, /* an event that is no begin matches */
};

struct filter_options {
    struct options common; /* the first member */
    struct pattern_list by[BY_COUNT];
    unsigned kinds; /* a bit for each enum filter_kind; 0: all */
    bool invert;
    bool stacks;
};

struct filter {
    struct selector selector; /* the first member */
    const struct pattern_list *by;
    uint32_t kinds; /* a bit for each enum filter_kind; 0: all */
    bool invert;
    bool full;            /* a koid found no room */
    bool crowded;         /* the process of a thread found no room */
    struct map processes; /* whose names match */
    struct map threads;
    struct koids_processes process_of; /* for scheduling records, which name threads only */
    struct map sampled;                /* processes of selected backtraces */
    bool samples_all;                  /* one of these found no room */

    /* Of the search: */
    struct missing missing[BY_COUNT];
    uint32_t kinds_there;
};

static struct filter *filter_of(struct selector *selector)
{
    return (struct filter *)selector;
}

/* ---- names of processes and threads, which may come after the records that use them */

/* What says of which process a thread is. */
static void survey_thread(struct filter *filter, const struct walk *walk, const struct item *item)
{
    struct fxt_thread_ref koids = {0};
    const struct fxt_object *object;
    if (item->kind == FXT_KIND_THREAD) {
        koids.process = item->any.thread.process;
        koids.thread = item->any.thread.thread;
    } else if (item_is_event(item)) {
        koids = item->any.event.thread;
    } else if (item->kind == FXT_KIND_KERNEL_OBJECT &&
               item->any.kernel_object.object_type == FXT_OBJECT_THREAD) {
        koids.thread = item->any.kernel_object.koid;
        object = fxt_tables_kernel_object(&walk->tables, FXT_OBJECT_THREAD, koids.thread);
        koids.process = object != NULL ? object->parent : 0;
    }
    if (!koids_set_process(&filter->process_of, walk->traces, koids.thread, koids.process))
        filter->crowded = true;
}

/* The last record of a koid names it [WHO-02]. */
static bool survey_thread_name(struct filter *filter, const struct walk *walk,
                               const struct fxt_kernel_object *object, bool is_match)
{
    const struct fxt_object *known =
        fxt_tables_kernel_object(&walk->tables, FXT_OBJECT_THREAD, object->koid);
    uint64_t process = known != NULL ? known->parent : 0;
    if (is_match)
        return koids_add_thread(&filter->threads, walk->traces, process, object->koid);
    koids_remove_thread(&filter->threads, walk->traces, process, object->koid);
    return true;
}

static void survey(struct selector *selector, const struct walk *walk, const struct item *item)
{
    struct filter *filter = filter_of(selector);
    survey_thread(filter, walk, item);
    const struct fxt_kernel_object *object = &item->any.kernel_object;
    struct fxt_bytes name;
    if (item->kind != FXT_KIND_KERNEL_OBJECT || object->object_type < FXT_OBJECT_PROCESS ||
        object->object_type > FXT_OBJECT_THREAD ||
        !fxt_tables_string(&walk->tables, &name, object->name))
        return;
    bool is_process = object->object_type == FXT_OBJECT_PROCESS;
    bool is_match = patterns_match(&filter->by[is_process ? BY_PROCESS : BY_THREAD], name);
    bool has_room = true;
    if (!is_process)
        has_room = survey_thread_name(filter, walk, object, is_match);
    else if (is_match)
        has_room = koids_add(&filter->processes, walk->traces, object->koid);
    filter->full |= !has_room;
}

static bool ready(struct selector *selector)
{
    if (filter_of(selector)->full)
        message("filter: more than %u processes or threads have such names; take numbers",
                KOIDS_MAX);
    return !filter_of(selector)->full;
}

/* ---- what a record is about */

static enum filter_kind kind_of(const struct item *item)
{
    static const uint8_t of_events[] = {
        [FXT_EVENT_INSTANT] = FILTER_INSTANT,
        [FXT_EVENT_COUNTER] = FILTER_COUNTER,
        [FXT_EVENT_DURATION_BEGIN] = FILTER_DURATION,
        [FXT_EVENT_DURATION_END] = FILTER_DURATION,
        [FXT_EVENT_DURATION_COMPLETE] = FILTER_DURATION,
        [FXT_EVENT_ASYNC_BEGIN] = FILTER_ASYNC,
        [FXT_EVENT_ASYNC_INSTANT] = FILTER_ASYNC,
        [FXT_EVENT_ASYNC_END] = FILTER_ASYNC,
        [FXT_EVENT_FLOW_BEGIN] = FILTER_FLOW,
        [FXT_EVENT_FLOW_STEP] = FILTER_FLOW,
        [FXT_EVENT_FLOW_END] = FILTER_FLOW,
    };
    static const uint8_t of_types[16] = {
        [FXT_RECORD_BLOB] = FILTER_BLOB,
        [FXT_RECORD_LARGE] = FILTER_BLOB,
        [FXT_RECORD_SCHEDULING] = FILTER_SCHEDULING,
        [FXT_RECORD_LOG] = FILTER_LOG,
        [FXT_RECORD_PROFILER] = FILTER_PROFILER,
    };
    if (item->kind == FXT_KIND_UNKNOWN)
        return FILTER_UNKNOWN;
    if (!item_is_event(item))
        return (enum filter_kind)of_types[item->record->type];
    uint16_t type = item->any.event.event_type;
    return type < sizeof of_events ? (enum filter_kind)of_events[type] : FILTER_UNKNOWN;
}

static struct fxt_thread_ref scheduled(const struct filter *filter, const struct walk *walk,
                                       uint64_t thread)
{
    return (struct fxt_thread_ref){
        .thread = thread, .process = koids_process(&filter->process_of, walk->traces, thread)};
}

/* The threads that a record has refs to. */
static unsigned referred(const struct fxt_tables *tables, const struct item *item,
                         struct fxt_thread_ref koids[FXT_CONVERT_THREADS_MAX])
{
    const struct fxt_convert_kind *kind = fxt_convert_kind_of(item->record);
    struct fxt_thread_ref refs[FXT_CONVERT_THREADS_MAX];
    unsigned known = 0, count = kind == NULL ? 0 : fxt_convert_threads(kind, &item->any, refs);
    for (unsigned i = 0; i < count; i++)
        known += fxt_tables_thread(tables, koids + known, refs[i]);
    return known;
}

/* The threads that a record is of, at most 2. */
static unsigned threads_of(const struct filter *filter, const struct walk *walk,
                           const struct item *item, struct fxt_thread_ref koids[2])
{
    const struct fxt_tables *tables = &walk->tables;
    const union fxt_convert_any *any = &item->any;
    switch (item->kind) {
    case FXT_KIND_EVENT:
        return fxt_tables_thread(tables, koids, any->event.thread);
    case FXT_KIND_CONTEXT_SWITCH:
        koids[0] = scheduled(filter, walk, any->context_switch.outgoing_thread);
        koids[1] = scheduled(filter, walk, any->context_switch.incoming_thread);
        return 2;
    case FXT_KIND_THREAD_WAKEUP:
        koids[0] = scheduled(filter, walk, any->thread_wakeup.waking_thread);
        return 1;
    default:
        return referred(tables, item, koids);
    }
}

static bool is_of_process(const struct filter *filter, const struct walk *walk,
                          struct fxt_thread_ref koids)
{
    const struct pattern_list *list = &filter->by[BY_PROCESS];
    return list->count == 0 || patterns_have(list, koids.process) ||
           koids_have(&filter->processes, walk->traces, koids.process);
}

static bool is_of_thread(const struct filter *filter, const struct walk *walk,
                         struct fxt_thread_ref koids)
{
    const struct pattern_list *list = &filter->by[BY_THREAD];
    return list->count == 0 || patterns_have(list, koids.thread) ||
           koids_have_thread(&filter->threads, walk->traces, koids.process, koids.thread);
}

static bool has_koids(const struct filter *filter, const struct walk *walk,
                      struct fxt_thread_ref koids)
{
    return is_of_process(filter, walk, koids) && is_of_thread(filter, walk, koids);
}

static bool matches_thread(const struct filter *filter, const struct walk *walk,
                           const struct item *item)
{
    struct fxt_thread_ref koids[2];
    if (filter->by[BY_PROCESS].count == 0 && filter->by[BY_THREAD].count == 0)
        return true;
    unsigned count = threads_of(filter, walk, item, koids);
    return (count > 0 && has_koids(filter, walk, koids[0])) ||
           (count > 1 && has_koids(filter, walk, koids[1]));
}

static bool matches_text(const struct filter *filter, const struct walk *walk, unsigned by,
                         const struct fxt_string_ref *ref)
{
    struct fxt_bytes text;
    if (filter->by[by].count == 0)
        return true;
    return ref != NULL && fxt_tables_string(&walk->tables, &text, *ref) &&
           patterns_match(&filter->by[by], text);
}

/* The category or the name of a record; NULL: it has none. */
static const struct fxt_string_ref *text_of(const struct item *item, unsigned by)
{
    if (item_is_event(item))
        return by == BY_CATEGORY ? &item->any.event.category : &item->any.event.name;
    if (item->kind == FXT_KIND_LARGE_BLOB)
        return by == BY_CATEGORY ? &item->any.large_blob.category : &item->any.large_blob.name;
    return item->kind == FXT_KIND_BLOB && by == BY_NAME ? &item->any.blob.name : NULL;
}

static bool matches_texts(const struct filter *filter, const struct walk *walk,
                          const struct item *item)
{
    return matches_text(filter, walk, BY_CATEGORY, text_of(item, BY_CATEGORY)) &&
           matches_text(filter, walk, BY_NAME, text_of(item, BY_NAME));
}

static bool matches_provider(const struct filter *filter, const struct walk *walk)
{
    const struct pattern_list *list = &filter->by[BY_PROVIDER];
    const struct fxt_provider *provider = fxt_tables_provider(&walk->tables);
    return list->count == 0 || patterns_have(list, provider->id) ||
           patterns_match(list, (struct fxt_bytes){provider->name, provider->name_length});
}

static bool matches(const struct filter *filter, const struct walk *walk, const struct item *item)
{
    bool is_kind = filter->kinds == 0 || (filter->kinds >> kind_of(item) & 1) != 0;
    bool is_match = is_kind && matches_provider(filter, walk) &&
                    matches_thread(filter, walk, item) && matches_texts(filter, walk, item);
    return is_match != filter->invert;
}

/* ---- the selector */

static void look(struct selector *selector, const struct walk *walk, const struct item *item)
{
    struct filter *filter = filter_of(selector);
    struct fxt_thread_ref koids[2];
    if (item->kind == FXT_KIND_BACKTRACE && matches(filter, walk, item) &&
        threads_of(filter, walk, item, koids) > 0 &&
        !koids_add(&filter->sampled, walk->traces, koids[0].process))
        filter->samples_all = true;
}

static bool is_brought(const struct filter *filter, const struct walk *walk,
                       const struct item *item)
{
    struct fxt_thread_ref koids[2];
    if (!item_is_mapping(item) || threads_of(filter, walk, item, koids) == 0)
        return false;
    return filter->samples_all || koids_have(&filter->sampled, walk->traces, koids[0].process);
}

static bool is_begin(const struct item *item)
{
    uint16_t type = item->any.event.event_type;
    return item_is_event(item) &&
           (type == FXT_EVENT_DURATION_BEGIN || type == FXT_EVENT_DURATION_COMPLETE ||
            type == FXT_EVENT_ASYNC_BEGIN || type == FXT_EVENT_FLOW_BEGIN);
}

static uint8_t note(struct selector *selector, const struct walk *walk, const struct item *item,
                    bool ends)
{
    (void)ends;
    const struct filter *filter = filter_of(selector);
    bool is_match = matches(filter, walk, item) || is_brought(filter, walk, item);
    if (is_begin(item))
        return FILTER_BEGUN | (is_match ? FILTER_MATCH : 0);
    return is_match ? FILTER_OTHER : 0;
}

static bool keeps(struct selector *selector, const struct item *item, uint8_t note, bool alone)
{
    (void)selector;
    (void)item;
    (void)alone;
    return (note & ((note & FILTER_BEGUN) != 0 ? FILTER_MATCH : FILTER_OTHER)) != 0;
}

static bool lacks(struct selector *selector, uint8_t note)
{
    (void)selector;
    (void)note;
    return true;
}

/* ---- why nothing is selected */

/* Names of processes and threads, which may be in no other record. */
static void search_object(struct filter *filter, const struct walk *walk, const struct item *item)
{
    const struct fxt_kernel_object *object = &item->any.kernel_object;
    struct fxt_bytes name;
    bool is_process = object->object_type == FXT_OBJECT_PROCESS;
    unsigned by = is_process ? BY_PROCESS : BY_THREAD;
    if ((is_process || object->object_type == FXT_OBJECT_THREAD) &&
        fxt_tables_string(&walk->tables, &name, object->name))
        missing_try(&filter->missing[by], &filter->by[by], name);
}

static void search_texts(struct filter *filter, const struct walk *walk, const struct item *item)
{
    const struct fxt_provider *provider = fxt_tables_provider(&walk->tables);
    struct fxt_bytes text = {provider->name, provider->name_length};
    missing_try(&filter->missing[BY_PROVIDER], &filter->by[BY_PROVIDER], text);
    for (unsigned by = BY_CATEGORY; by <= BY_NAME; by++) {
        const struct fxt_string_ref *ref = text_of(item, by);
        filter->missing[by].found |= matches_text(filter, walk, by, ref);
        if (ref != NULL && fxt_tables_string(&walk->tables, &text, *ref))
            missing_try(&filter->missing[by], &filter->by[by], text);
    }
}

/* What each option matches for itself. */
static void search(struct selector *selector, const struct walk *walk, const struct item *item)
{
    struct filter *filter = filter_of(selector);
    struct fxt_thread_ref koids[2];
    if (item->kind == FXT_KIND_KERNEL_OBJECT)
        search_object(filter, walk, item);
    if (item_is_definition(item))
        return;
    filter->kinds_there |= 1u << kind_of(item);
    filter->missing[BY_PROVIDER].found |= matches_provider(filter, walk);
    unsigned count = threads_of(filter, walk, item, koids);
    for (unsigned i = 0; i < count; i++) {
        filter->missing[BY_PROCESS].found |= is_of_process(filter, walk, koids[i]);
        filter->missing[BY_THREAD].found |= is_of_thread(filter, walk, koids[i]);
    }
    search_texts(filter, walk, item);
}

/* False if a record matches this option, or it was not given. */
static bool report_missing(const struct filter *filter, const char *file, unsigned by)
{
    static const struct {
        const char *option;
        const char *command; /* lists what there is */
        const char *query;
    } ways[BY_COUNT] = {
        [BY_PROVIDER] = {"provider", "stat", ""},
        [BY_PROCESS] = {"process", "sql", " \"select fxt_koid, name from process\""},
        [BY_THREAD] = {"thread", "sql", " \"select fxt_koid, name from thread\""},
        [BY_CATEGORY] = {"category", "sql", " \"select distinct category from slice\""},
        [BY_NAME] = {"name", "sql", " \"select distinct name from slice\""},
    };
    const struct missing *missing = &filter->missing[by];
    const char *option = ways[by].option;
    const char *more = filter->by[by].count > 1 ? " or the others" : "";
    if (filter->by[by].count == 0 || missing->found)
        return false;
    if (missing->word != NULL && missing->typos > 0)
        message("%s: no record matches --%s='%s'%s; the nearest name is '%s'", file, option,
                missing->word, more, missing->name);
    else
        message("%s: no record matches --%s='%s'%s; 'fxt %s %s%s' lists what there is", file,
                option, filter->by[by].it[0], more, ways[by].command, file, ways[by].query);
    return true;
}

static bool report_missing_kinds(const struct filter *filter, const char *file)
{
    char there[200] = "";
    if (filter->kinds == 0 || (filter->kinds & filter->kinds_there) != 0)
        return false;
    for (unsigned kind = 0; kind < FILTER_KINDS; kind++)
        if ((filter->kinds_there >> kind & 1) != 0) {
            strcat(there, *there != '\0' ? ", " : "");
            strcat(there, kind_words[kind]);
        }
    message("%s: no record matches --kind; the trace has %s", file, there);
    return true;
}

static bool is_asked(const struct filter *filter)
{
    bool asked = filter->kinds != 0 || filter->invert;
    for (unsigned by = 0; by < BY_COUNT; by++)
        asked = asked || filter->by[by].count > 0;
    return asked;
}

static bool judge(struct selector *selector, const char *file, uint64_t stayed)
{
    const struct filter *filter = filter_of(selector);
    bool told = false;
    if (stayed > 0 || !is_asked(filter))
        return true;
    if (filter->kinds_there == 0) {
        message("%s: the trace has no record to select", file);
        return false;
    }
    for (unsigned by = 0; by < BY_COUNT && !filter->invert; by++)
        told |= report_missing(filter, file, by);
    if (!filter->invert)
        told |= report_missing_kinds(filter, file);
    if (!told)
        message("%s: %s", file,
                filter->invert ? "no record is left: the options match all of them"
                               : "no record matches all of the options; each matches some");
    return false;
}

/* ---- the command */

static enum exit_code run(const void *given)
{
    const struct filter_options *options = given;
    struct filter *filter = memory_zeroed(sizeof *filter);
    if (filter == NULL)
        return EXIT_IO;
    filter->selector = (struct selector){.ready = ready,
                                         .look = look,
                                         .note = note,
                                         .keeps = keeps,
                                         .lacks = lacks,
                                         .search = search,
                                         .judge = judge,
                                         .always_encloses = options->stacks};
    filter->by = options->by;
    filter->kinds = options->kinds;
    filter->invert = options->invert;
    if (options->by[BY_PROCESS].count > 0 || patterns_are_names(&options->by[BY_THREAD]))
        filter->selector.survey = survey;
    enum exit_code code = edit_run(&filter->selector, &options->common, NULL);
    if (filter->crowded) {
        message(
            "filter: the trace has more than %u threads: the processes of some context switches "
            "are not known",
            KOIDS_MAX);
        code = exit_worse(code, EXIT_FINDINGS);
    }
    map_clear(&filter->processes);
    map_clear(&filter->threads);
    map_clear(&filter->process_of.threads);
    map_clear(&filter->sampled);
    munmap(filter, sizeof *filter);
    return code;
}

static bool add(void *member, const struct option_spec *spec, const char *value)
{
    struct pattern_list *list = member;
    (void)spec;
    if (list->count == PATTERNS_MAX) {
        message("filter: an option is given more than %u times", PATTERNS_MAX);
        return false;
    }
    list->it[list->count++] = value;
    return true;
}

static const struct filter_options defaults = {.common = OPTIONS_INIT};

static const struct option_spec options_of_filter[] = {
    {"process", 'p', "WHICH", "of processes with this koid or name", add,
     offsetof(struct filter_options, by[BY_PROCESS])},
    {"thread", 0, "WHICH", "of threads with this koid or name", add,
     offsetof(struct filter_options, by[BY_THREAD])},
    {"provider", 0, "WHICH", "of providers with this id or name", add,
     offsetof(struct filter_options, by[BY_PROVIDER])},
    {"category", 'c', "PATTERN", "of categories like net or net:*", add,
     offsetof(struct filter_options, by[BY_CATEGORY])},
    {"name", 'n', "PATTERN", "of events and blobs with names like this", add,
     offsetof(struct filter_options, by[BY_NAME])},
    {"kind", 'k', "instant|counter|duration|async|flow|log|blob|scheduling|profiler|unknown",
     "of this kind; may be repeated", option_choices, offsetof(struct filter_options, kinds)},
    {"invert", 'v', NULL, "what the other options do not select", option_bool,
     offsetof(struct filter_options, invert)},
    {"stacks", 0, NULL, "and the durations that enclose it", option_bool,
     offsetof(struct filter_options, stacks)},
    OPTION_MAX_FINDINGS,
    OPTION_OUTPUT,
    OPTIONS_OF_TRACES,
    OPTION_OLD('t', "thread"),
    OPTION_OLD('s', "stacks"),
    OPTION_END,
};

const struct command command_filter = {
    .name = "filter",
    .title = "Copies the records of a trace that the options select, as a complete trace.",
    .usage = "[FILE]",
    .options = options_of_filter,
    .operands = OPERANDS_FILE,
    .defaults = &defaults,
    .size = sizeof defaults,
    .run = run,
};
