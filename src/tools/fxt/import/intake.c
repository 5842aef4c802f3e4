/* See intake.h. A record is written into `bytes`, together with the strings and threads that it is the
   first to name. `bytes` goes to the output when it is half full: no record and its names take the other
   half. If the tables have no room for all that a record names, it gets too long, and is written again
   with tables that begin anew. */
#include "src/tools/fxt/import/intake.h"

#include <stdio.h>

#define PROVIDER 1u
#define TICKS_PER_SECOND UINT64_C(1000000000)

_Static_assert(INTAKE_BYTES / 2 > 2 * (2 * FXT_ARGS_MAX + 3) * (FXT_STRING_LENGTH_MAX + 16u),
               "a record is tried twice, and each try may name 32 strings");

static void flush(struct intake *intake)
{
    fxt_out_bytes(intake->out, (const char *)intake->bytes, (size_t)intake->writer.size);
    intake->writer.size = 0;
}

void intake_begin(struct intake *intake, struct fxt_out *out, struct fxt_bytes title)
{
    const struct fxt_provider_info info = {.provider_id = PROVIDER, .name = title};
    const struct fxt_initialization initialization = {.ticks_per_second = TICKS_PER_SECOND};
    memset(intake, 0, offsetof(struct intake, slots));
    intake->out = out;
    fxt_writer_init(&intake->writer, intake->bytes, sizeof intake->bytes);
    fxt_intern_init(&intake->interner, intake->slots, INTAKE_STRING_SLOTS, intake->strings,
                    INTAKE_STRING_BYTES, FXT_INTERN_EVICT);
    fxt_write_magic(&intake->writer);
    fxt_write_provider_info(&intake->writer, &info);
    fxt_write_initialization(&intake->writer, &initialization);
}

static struct fxt_string_ref string(struct intake *intake, struct intake_text text)
{
    struct fxt_string_ref ref = {NULL, 0};
    fxt_intern_string(&intake->interner, &intake->writer, &ref, (const uint8_t *)text.bytes,
                      text.size);
    return ref;
}

static struct fxt_thread_ref thread(struct intake *intake, const struct intake_record *in)
{
    struct fxt_thread_ref ref = {0, 0, 0};
    fxt_intern_thread(&intake->interner, &intake->writer, &ref, in->process, in->thread);
    return ref;
}

static enum fxt_status write_event(struct intake *intake, const struct intake_record *in,
                                   const struct fxt_arg *args)
{
    struct fxt_event event = {.timestamp = in->ns,
                              .value = in->value,
                              .event_type = in->type,
                              .scope = in->scope,
                              .has_scope = in->type == FXT_EVENT_INSTANT};
    event.thread = thread(intake, in);
    event.category = string(intake, in->category);
    event.name = string(intake, in->name);
    return fxt_write_event(&intake->writer, &event, args, in->arg_count);
}

static enum fxt_status write_object(struct intake *intake, const struct intake_record *in,
                                    const struct fxt_arg *args)
{
    struct fxt_userspace_object pointer = {.pointer = in->value};
    struct fxt_kernel_object object = {.koid = in->thread, .object_type = in->type};
    if (in->kind == INTAKE_POINTER) {
        pointer.process = thread(intake, in);
        pointer.name = string(intake, in->name);
        return fxt_write_userspace_object(&intake->writer, &pointer, args, in->arg_count);
    }
    object.name = string(intake, in->name);
    return fxt_write_kernel_object(&intake->writer, &object, args, in->arg_count);
}

static enum fxt_status write_scheduling(struct intake *intake, const struct intake_record *in,
                                        const struct fxt_arg *args)
{
    const struct fxt_context_switch change = {.timestamp = in->ns,
                                              .outgoing_thread = in->thread,
                                              .incoming_thread = in->value,
                                              .cpu = in->cpu,
                                              .outgoing_state = in->type};
    const struct fxt_thread_wakeup wakeup = {
        .timestamp = in->ns, .waking_thread = in->thread, .cpu = in->cpu};
    if (in->kind == INTAKE_SWITCH)
        return fxt_write_context_switch(&intake->writer, &change, args, in->arg_count);
    return fxt_write_thread_wakeup(&intake->writer, &wakeup, args, in->arg_count);
}

static enum fxt_status write_record(struct intake *intake, const struct intake_record *in)
{
    struct fxt_arg args[FXT_ARGS_MAX];
    fxt_intern_begin_record(&intake->interner);
    for (uint16_t i = 0; i < in->arg_count; i++) {
        args[i] = in->args[i].value;
        args[i].name = string(intake, in->args[i].name);
        if (args[i].type == FXT_ARG_STRING)
            args[i].text = string(intake, in->args[i].text);
    }
    switch (in->kind) {
    case INTAKE_EVENT:
        return write_event(intake, in, args);
    case INTAKE_POINTER:
    case INTAKE_KERNEL:
        return write_object(intake, in, args);
    default:
        return write_scheduling(intake, in, args);
    }
}

void intake_put(struct intake *intake, const struct intake_record *record)
{
    if (intake->writer.size > INTAKE_BYTES / 2)
        flush(intake);
    enum fxt_status status = write_record(intake, record);
    if (status != FXT_OK)
        status = write_record(intake, record);
    if (status != FXT_OK)
        intake_leave(intake, INTAKE_MALFORMED);
    intake->events += status == FXT_OK;
}

uint64_t intake_digest(const char *bytes, size_t size)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return digest;
}

static bool is_named(struct intake *intake, uint16_t type, uint64_t koid, uint64_t process,
                     struct intake_text name)
{
    uint64_t mixed = (koid * 2 + type) * UINT64_C(0x9e3779b97f4a7c15);
    struct intake_name *slot = &intake->names[(mixed >> 32) % INTAKE_NAMES];
    uint64_t digest = intake_digest(name.bytes, name.size) ^ process * 31 ^ type;
    if (slot->koid == koid && slot->digest == digest)
        return true;
    slot->koid = koid;
    slot->digest = digest;
    return false;
}

void intake_process(struct intake *intake, uint64_t process, struct intake_text name)
{
    struct intake_record object;
    if (is_named(intake, FXT_OBJECT_PROCESS, process, 0, name))
        return;
    object.kind = INTAKE_KERNEL;
    object.type = FXT_OBJECT_PROCESS;
    object.thread = process;
    object.name = name;
    object.arg_count = 0;
    intake_put(intake, &object);
}

void intake_thread(struct intake *intake, uint64_t process, uint64_t thread,
                   struct intake_text name)
{
    struct intake_record object;
    if (is_named(intake, FXT_OBJECT_THREAD, thread, process, name))
        return;
    object.kind = INTAKE_KERNEL;
    object.type = FXT_OBJECT_THREAD;
    object.thread = thread;
    object.name = name;
    object.arg_count = 1;
    object.args[0].name = intake_text("process");
    object.args[0].value = fxt_make_koid(fxt_string_inline(NULL, 0), process);
    intake_put(intake, &object);
}

struct intake_arg *intake_arg(struct intake *intake, struct intake_record *record)
{
    if (record->arg_count == FXT_ARGS_MAX) {
        intake_leave(intake, INTAKE_ARGUMENT);
        return NULL;
    }
    struct intake_arg *arg = &record->args[record->arg_count++];
    memset(arg, 0, sizeof *arg);
    return arg;
}

void intake_leave(struct intake *intake, enum intake_left what)
{
    intake->left[what]++;
}

void intake_leave_named(struct intake *intake, enum intake_left what, struct intake_text first)
{
    if (intake->left[what]++ == 0)
        snprintf(intake->first[what], sizeof intake->first[what], "%.*s",
                 (int)(first.size < 31 ? first.size : 31), first.bytes);
}

static bool say_left(const struct intake *intake, const char *file)
{
    static const char *const texts[] = {
#define X(name, text) text,
        INTAKE_LEFT
#undef X
    };
    char line[2000] = "";
    size_t size = 0;
    for (int i = 0; i < INTAKE_LEFT_COUNT; i++) {
        const char *first = intake->first[i];
        if (intake->left[i] > 0 && size < sizeof line)
            size += (size_t)snprintf(line + size, sizeof line - size, "%s%llu %s%s%s%s",
                                     size > 0 ? ", " : "", (unsigned long long)intake->left[i],
                                     texts[i], *first != '\0' ? " (first: " : "", first,
                                     *first != '\0' ? ")" : "");
    }
    if (size > 0)
        message_at("%s: left out or changed: %s", file, line);
    return size > 0;
}

enum exit_code intake_end(struct intake *intake, const char *file)
{
    flush(intake);
    if (intake->nested > 0)
        message_at("%s: %llu nested argument%s JSON text now", file,
                   (unsigned long long)intake->nested, intake->nested > 1 ? "s are" : " is");
    return say_left(intake, file) ? EXIT_FINDINGS : EXIT_CLEAN;
}
