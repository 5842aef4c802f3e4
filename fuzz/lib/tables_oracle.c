/* The tables against a model that keeps everything: strings, threads, tick rates and names of
   objects, for each provider. With little memory an entry may be missing, after FXT_FULL said so,
   but it is never wrong. */
#include <stdlib.h>
#include <string.h>

#include <fxt/tables.h>

#include "fuzz/lib/any.h"

enum { PROVIDERS = 3, OBJECTS = 128 };

struct text {
    const uint8_t *bytes; /* in the input, which stays */
    uint64_t size;
    uint64_t trace; /* valid when equal to the model's */
};

struct object {
    struct text name;
    uint64_t key;
    uint64_t process;
    unsigned provider;
    uint16_t type; /* of a kernel object */
    bool userspace;
    bool unknown; /* there was no memory for it, or for its name */
};

struct model {
    struct text strings[PROVIDERS][FXT_STRING_INDEX_MAX + 1];
    struct fxt_thread threads[PROVIDERS][FXT_THREAD_INDEX_MAX + 1];
    uint64_t thread_trace[PROVIDERS][FXT_THREAD_INDEX_MAX + 1];
    uint64_t ticks[PROVIDERS];
    uint32_t ids[PROVIDERS];
    struct object objects[OBJECTS];
    unsigned object_count;
    unsigned count;
    unsigned current;
    uint64_t trace;
};

static struct model model;

static void begin_trace(void)
{
    model.trace++;
    model.count = 1;
    model.current = 0;
    model.ids[0] = 0;
    model.ticks[0] = UINT64_C(1000000000);
    model.object_count = 0;
}

static void choose(uint32_t id, enum fxt_status status)
{
    unsigned at = 0;
    while (at < model.count && model.ids[at] != id)
        at++;
    FUZZ_CHECK(status == (at == PROVIDERS ? FXT_FULL : FXT_OK));
    if (at == PROVIDERS) /* the last one is forgotten */
        model.count = --at;
    if (at == model.count) {
        model.ids[model.count++] = id;
        model.ticks[at] = UINT64_C(1000000000);
        for (unsigned i = 0; i <= FXT_STRING_INDEX_MAX; i++)
            model.strings[at][i].trace = 0;
        for (unsigned i = 0; i <= FXT_THREAD_INDEX_MAX; i++)
            model.thread_trace[at][i] = 0;
    }
    model.current = at;
}

/* The process koid of a ref, as the model has it; false when there is none. */
static bool process_of(uint64_t *process, struct fxt_thread_ref ref)
{
    bool known = ref.ref == 0 || model.thread_trace[model.current][ref.ref] == model.trace;

    *process = ref.ref == 0 ? ref.process : model.threads[model.current][ref.ref].process;
    return known;
}

/* The text of a ref, as the model has it; false when there is none. */
static bool text_of(struct text *text, struct fxt_string_ref ref)
{
    struct text none = {NULL, 0, model.trace};
    *text = none;
    if (ref.ref >= FXT_STRING_INLINE) {
        text->bytes = ref.bytes;
        text->size = fxt_string_ref_length(ref);
    } else if (ref.ref > 0) {
        if (model.strings[model.current][ref.ref].trace != model.trace)
            return false;
        *text = model.strings[model.current][ref.ref];
    }
    return true;
}

static bool same_text(struct fxt_bytes a, struct text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

static void describe(bool userspace, uint64_t process, uint64_t key, uint16_t type,
                     struct fxt_string_ref name, enum fxt_status status)
{
    unsigned at = 0;
    for (; at < model.object_count; at++)
        if (model.objects[at].userspace == userspace && model.objects[at].key == key &&
            model.objects[at].process == process && model.objects[at].type == type &&
            model.objects[at].provider == model.current)
            break;
    if (at == OBJECTS)
        return;
    struct object *object = &model.objects[at];
    if (at == model.object_count)
        model.object_count++;
    object->userspace = userspace;
    object->key = key;
    object->process = process;
    object->type = type;
    object->provider = model.current;
    object->unknown = status == FXT_FULL;
    text_of(&object->name, name);
}

static void take(const struct fuzz_record *in, enum fxt_status status)
{
    const union fuzz_any *any = &in->any;
    struct text *slot;
    uint64_t process;
    switch (in->kind) {
    case FUZZ_PROVIDER_INFO:
        choose(any->provider_info.provider_id, status);
        return;
    case FUZZ_PROVIDER_SECTION:
        choose(any->provider_section.provider_id, status);
        return;
    case FUZZ_INITIALIZATION:
        if (any->initialization.ticks_per_second != 0)
            model.ticks[model.current] = any->initialization.ticks_per_second;
        return;
    case FUZZ_STRING:
        slot = &model.strings[model.current][any->string.index];
        slot->bytes = any->string.value.bytes;
        slot->size = any->string.value.size;
        slot->trace = status == FXT_OK && any->string.index != 0 ? model.trace : 0;
        return;
    case FUZZ_THREAD:
        model.threads[model.current][any->thread.index] = any->thread;
        model.thread_trace[model.current][any->thread.index] = model.trace;
        return;
    case FUZZ_KERNEL_OBJECT:
        describe(false, 0, any->kernel_object.koid, any->kernel_object.object_type,
                 any->kernel_object.name, status);
        return;
    case FUZZ_USERSPACE_OBJECT:
        if (process_of(&process, any->userspace_object.process))
            describe(true, process, any->userspace_object.pointer, 0, any->userspace_object.name,
                     status);
        return;
    default:
        FUZZ_CHECK(status == FXT_OK);
        return;
    }
}

static void check_string(const struct fxt_tables *tables, uint16_t index)
{
    struct fxt_bytes text;
    struct text expected;
    bool known = text_of(&expected, fxt_string_index(index));

    FUZZ_CHECK(fxt_tables_string(tables, &text, fxt_string_index(index)) == known);
    FUZZ_CHECK(!known || same_text(text, expected));
}

static void check_thread(const struct fxt_tables *tables, uint8_t index)
{
    struct fxt_thread_ref koids;
    const struct fxt_thread *expected = &model.threads[model.current][index];
    bool known = model.thread_trace[model.current][index] == model.trace;

    FUZZ_CHECK(fxt_tables_thread(tables, &koids, fxt_thread_index(index)) == known);
    FUZZ_CHECK(!known || (koids.process == expected->process && koids.thread == expected->thread));
}

/* The refs that generated traces use, and one that the input chooses. */
static void check_refs(const struct fxt_tables *tables, uint64_t other)
{
    for (uint16_t i = 1; i < 8; i++)
        check_string(tables, i);
    check_string(tables, 32767);
    check_string(tables, (uint16_t)(other % 32768));
    for (uint8_t i = 1; i < 4; i++)
        check_thread(tables, i);
    check_thread(tables, (uint8_t)(1 + other % 255));
    FUZZ_CHECK(fxt_tables_provider(tables)->ticks_per_second == model.ticks[model.current]);
    FUZZ_CHECK(fxt_tables_provider(tables)->id == model.ids[model.current]);
}

static void check_objects(struct fxt_tables *tables)
{
    for (unsigned i = 0; i < model.object_count; i++) {
        const struct object *expected = &model.objects[i];
        if (expected->unknown)
            continue;
        FUZZ_CHECK(fxt_tables_select(tables, model.ids[expected->provider]) == FXT_OK);
        const struct fxt_object *found =
            expected->userspace
                ? fxt_tables_userspace_object(tables, expected->process, expected->key)
                : fxt_tables_kernel_object(tables, expected->type, expected->key);
        FUZZ_CHECK(found != NULL);
        FUZZ_CHECK(same_text(fxt_tables_object_name(tables, found), expected->name));
    }
}

static void run(const struct fuzz_copy *copy, const struct fxt_tables_memory *memory)
{
    struct fxt_tables tables;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_tables_init(&tables, memory);
    begin_trace();
    fxt_reader_init(&reader, copy->bytes, copy->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK ||
           status == FXT_ZERO_WORD) {
        struct fuzz_record decoded;
        if (status == FXT_ZERO_WORD)
            continue;
        status = fuzz_decode_all(&decoded, &record, &error);
        enum fxt_status applied = fxt_tables_apply(&tables, &record, &error);
        if (status == FXT_OK) {
            if (record.header == FXT_MAGIC && record.offset > 0)
                begin_trace();
            FUZZ_CHECK(applied == FXT_OK || applied == FXT_FULL);
            take(&decoded, applied);
        }
        check_refs(&tables, record.header >> 32);
    }
    check_objects(&tables);
}

void fuzz_oracle_tables(const uint8_t *bytes, size_t size)
{
    static struct fxt_provider *providers;
    uint64_t random = fuzz_control(bytes, size);
    struct fuzz_copy copy = fuzz_copy(bytes, size, 0);
    uint64_t arena = 16 + fuzz_random(&random) % 2048;
    uint32_t objects = 1u << (1 + fuzz_random(&random) % 6);

    if (providers == NULL)
        providers = fuzz_need(PROVIDERS, sizeof *providers);
    struct fxt_tables_memory memory = {.providers = providers,
                                       .provider_ids = fuzz_need(PROVIDERS, sizeof(uint32_t)),
                                       .objects = fuzz_need(objects, sizeof(struct fxt_object)),
                                       .arena = fuzz_need(arena, 1),
                                       .provider_max = PROVIDERS,
                                       .object_max = objects,
                                       .arena_size = arena};
    run(&copy, &memory);
    free(memory.provider_ids);
    free(memory.objects);
    free(memory.arena);
    fuzz_release(&copy);
}
