/* Providers, processes and threads. Invariant: entry 0 of each stands for all that found no room.
   Entries of an earlier trace stay, with their labels. */
#include "src/tools/fxt/report/tracks.h"

#include <stdio.h>
#include <string.h>

#define EVERY_PROVIDER UINT32_MAX
#define LABEL_BYTES (2 * (UINT16_MAX + 64))

void tracks_init(struct tracks *tracks, const struct fxt_tables *tables)
{
    tracks->tables = tables;
    tracks->trace = 1;
    tracks->provider_count = tracks->process_count = tracks->count = 1;
    tracks->first_provider = tracks->first_of_trace = 1;
}

/* A place of the tables may have been given to another provider. */
uint32_t tracks_provider(struct tracks *tracks)
{
    const struct fxt_tables *tables = tracks->tables;
    uint32_t id = fxt_tables_provider(tables)->id;
    uint32_t *index = &tracks->current[tables->current % TOOL_PROVIDERS];
    if (*index != 0 && tracks->providers[*index].id == id)
        return *index;
    if (tracks->provider_count == TRACKS_MAX) {
        tracks->full = true;
        return TRACK_OTHERS;
    }
    *index = tracks->provider_count++;
    tracks->providers[*index].id = id;
    tracks->providers[*index].trace = tracks->trace;
    return *index;
}

static uint32_t find_process(struct tracks *tracks, uint64_t koid)
{
    uint32_t *process = map_add(&tracks->process_numbers, TRACKS_MAX - 1, tracks->trace, koid, 0);
    if (process == NULL) {
        tracks->full = true;
        return TRACK_OTHERS;
    }
    if (*process == MAP_NEW) {
        *process = tracks->process_count++;
        tracks->processes[*process] = (struct track_process){koid, tracks->trace, 0};
    }
    return *process;
}

/* The first track of a thread, which may be this one. */
static uint32_t find_thread(struct tracks *tracks, const struct track *wanted, uint32_t track)
{
    uint64_t whose = (uint64_t)wanted->process << 32 | EVERY_PROVIDER;
    if (wanted->ref != 0)
        return track;
    uint32_t *first = map_add(&tracks->numbers, 2 * TRACKS_MAX, wanted->koid, whose, 0);
    if (first == NULL)
        return track;
    if (*first == MAP_NEW)
        *first = track;
    return *first;
}

static uint32_t find_track(struct tracks *tracks, const struct track *wanted)
{
    uint64_t whose = (uint64_t)wanted->process << 32 | wanted->provider;
    uint32_t *track = map_find(&tracks->numbers, wanted->koid, whose, wanted->ref);
    if (track != NULL)
        return *track;
    if (tracks->count < TRACKS_MAX)
        track = map_add(&tracks->numbers, 2 * TRACKS_MAX, wanted->koid, whose, wanted->ref);
    if (track == NULL) {
        tracks->full = true;
        return TRACK_OTHERS;
    }
    uint32_t number = tracks->count++;
    *track = number;
    tracks->it[number] = *wanted;
    tracks->it[number].thread = find_thread(tracks, wanted, number);
    return number;
}

uint32_t tracks_find(struct tracks *tracks, struct fxt_thread_ref ref)
{
    struct fxt_provider *tables = &tracks->tables->providers[tracks->tables->current];
    struct fxt_thread_slot *slot = NULL;
    struct track wanted = {.koid = ref.thread};
    if (ref.ref > 0 && tables->threads[ref.ref].generation == tables->generation)
        slot = &tables->threads[ref.ref];
    if (slot != NULL && slot->cookie != 0)
        return slot->cookie;
    wanted.provider = tracks_provider(tracks);
    if (ref.ref > 0 && slot == NULL) {
        wanted.koid = 0;
        wanted.ref = ref.ref;
    } else {
        wanted.koid = slot != NULL ? slot->thread : ref.thread;
        wanted.process = find_process(tracks, slot != NULL ? slot->process : ref.process);
    }
    uint32_t found = find_track(tracks, &wanted);
    if (slot != NULL)
        slot->cookie = found;
    return found;
}

/* Adds "NAME KOID" or "WHAT KOID" to a label. */
static size_t put(char *to, size_t size, const char *what, struct fxt_bytes name, uint64_t koid)
{
    size_t length = name.size > 0 ? (size_t)name.size : strlen(what);
    memcpy(to + size, name.size > 0 ? (const char *)name.bytes : what, length);
    return size + length + (size_t)sprintf(to + size + length, " %llu", (unsigned long long)koid);
}

/* The kinds of names, in the keys of object_names. */
enum { OF_PROCESS, OF_THREAD, OF_THREAD_OF_ANY, NAME_KINDS };

static void name_object(struct tracks *tracks, unsigned kind, uint64_t koid, uint64_t process,
                        uint32_t name)
{
    uint32_t *place = map_add(&tracks->object_names, 2 * TRACKS_MAX, koid, process,
                              (uint64_t)tracks->trace * NAME_KINDS + kind);
    if (place != NULL)
        *place = name;
    else
        tracks->full = true;
}

void tracks_name_process(struct tracks *tracks, uint64_t koid, uint32_t name)
{
    name_object(tracks, OF_PROCESS, koid, 0, name);
}

void tracks_name_thread(struct tracks *tracks, uint64_t koid, const uint64_t *process,
                        uint32_t name)
{
    if (process != NULL)
        name_object(tracks, OF_THREAD, koid, *process, name);
    else
        name_object(tracks, OF_THREAD_OF_ANY, koid, 0, name);
}

/* NULL: it has none. */
static const uint32_t *find_name(const struct tracks *tracks, unsigned kind, uint64_t koid,
                                 uint64_t process)
{
    return map_find(&tracks->object_names, koid, process,
                    (uint64_t)tracks->trace * NAME_KINDS + kind);
}

static struct fxt_bytes name_of(const struct names *names, const uint32_t *name)
{
    return name != NULL ? names_text(names, *name) : (struct fxt_bytes){NULL, 0};
}

static uint32_t label(struct names *names, const char *text, size_t size)
{
    return names_add(names, (struct fxt_bytes){(const uint8_t *)text, size});
}

static uint32_t numbered(struct names *names, uint32_t id)
{
    char text[40];
    return label(names, text, (size_t)sprintf(text, "provider %u", (unsigned)id));
}

static void name_provider(struct tracks *tracks, struct names *names, uint32_t index)
{
    const struct fxt_provider *provider = fxt_tables_provider(tracks->tables);
    const struct fxt_bytes name = {provider->name, provider->name_length};
    tracks->providers[index].introduced = provider->introduced != 0;
    if (name.size > 0)
        tracks->providers[index].name = names_add(names, name);
}

/* [WHO-02] */
static void name_track(struct tracks *tracks, struct names *names, struct track *track)
{
    static char text[LABEL_BYTES];
    struct track_process *process = &tracks->processes[track->process];
    if (track->ref != 0) {
        track->name =
            label(names, text, (size_t)sprintf(text, "thread ref %u", (unsigned)track->ref));
        return;
    }
    const uint32_t *name = find_name(tracks, OF_PROCESS, process->koid, 0);
    size_t size = put(text, 0, "process", name_of(names, name), process->koid);
    if (process->name == NAME_OTHERS)
        process->name = label(names, text, size);
    text[size++] = '/';
    name = find_name(tracks, OF_THREAD, track->koid, process->koid);
    if (name == NULL)
        name = find_name(tracks, OF_THREAD_OF_ANY, track->koid, 0);
    size = put(text, size, "thread", name_of(names, name), track->koid);
    track->name = label(names, text, size);
}

void tracks_end_trace(struct tracks *tracks, struct names *names, struct fxt_tables *tables)
{
    for (uint32_t i = 0; i < tables->provider_count && i < TOOL_PROVIDERS; i++) {
        uint32_t provider = tracks->current[i];
        if (provider == TRACK_OTHERS ||
            fxt_tables_select(tables, tables->provider_ids[i]) != FXT_OK)
            continue;
        name_provider(tracks, names, provider);
    }
    for (uint32_t i = tracks->first_provider; i < tracks->provider_count; i++)
        if (tracks->providers[i].name == NAME_OTHERS) /* without a name, or it lost its place */
            tracks->providers[i].name = numbered(names, tracks->providers[i].id);
    for (uint32_t i = tracks->first_of_trace; i < tracks->count; i++)
        name_track(tracks, names, &tracks->it[i]);
    map_clear(&tracks->object_names);
    memset(tracks->current, 0, sizeof tracks->current);
    tracks->first_provider = tracks->provider_count;
    tracks->first_of_trace = tracks->count;
    tracks->trace++;
}
