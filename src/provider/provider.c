/* The public functions of a provider. A process has at most one, and a successor that begins when the
   one has been destroyed. A forked child has none, and closes the descriptors that it inherited from
   its parent's. */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <fxt/record.h>

#include "src/base/utf8.h"
#include "src/provider/provider.h"

static pthread_mutex_t one_lock = PTHREAD_MUTEX_INITIALIZER;
/* Under that lock. Other threads see a provider through them alone, so a pointer that is in none of
   them belongs to a provider that is already destroyed. */
static trace_provider_t *the_one;   /* the provider of this process, or NULL; while it is being
                                       destroyed, `next` may be its successor */
static trace_provider_t *inherited; /* in a forked child: those of its ancestors */

/* Around a fork. The forking thread calls these functions and holds all locks in between. The child
   has no other thread. */

static void before_fork(void)
{
    pthread_mutex_lock(&one_lock);
    if (the_one == NULL)
        return;
    pthread_mutex_lock(&the_one->lock);
}

static void after_fork(void)
{
    if (the_one != NULL)
        pthread_mutex_unlock(&the_one->lock);
    pthread_mutex_unlock(&one_lock);
}

static struct fxt_i_identity *identity_of(trace_provider_t *provider, const int *slot)
{
    if (slot == &provider->connection)
        return &provider->connection_identity;
    return slot == &provider->watch ? &provider->watch_identity : &provider->fifo_identity;
}

bool fxt_i_provider_has(trace_provider_t *provider, const int *slot)
{
    return *slot >= 0 && fxt_i_identity_is(identity_of(provider, slot), *slot);
}

static void close_inherited(trace_provider_t *provider, int *slot)
{
    if (fxt_i_provider_has(provider, slot))
        close(*slot);
    *slot = -1;
}

static void inherit(trace_provider_t *list)
{
    trace_provider_t **end = &list;
    while (*end != NULL)
        end = &(*end)->next;
    *end = inherited;
    inherited = list;
}

static void in_forked_child(void)
{
    if (the_one != NULL) {
        close_inherited(the_one, &the_one->connection);
        close_inherited(the_one, &the_one->watch);
        close_inherited(the_one, &the_one->fifo);
        /* another thread of the parent may have held it, in the middle of a change */
        pthread_mutex_init(&the_one->categories.lock, NULL);
        the_one->categories.names = NULL;
        the_one->categories.count = 0;
        the_one->categories.of_session = 0;
    }
    after_fork();
    inherit(the_one);
    the_one = NULL;
}

static void prepare_process(void)
{
    pthread_atfork(before_fork, after_fork, in_forked_child);
}

void fxt_i_provider_set(trace_provider_t *provider, int *slot, int descriptor)
{
    assert(slot == &provider->connection || slot == &provider->watch || slot == &provider->fifo);
    pthread_mutex_lock(&provider->lock);
    if (*slot != descriptor && fxt_i_provider_has(provider, slot))
        close(*slot);
    *slot = descriptor >= 0 ? fxt_i_descriptor_aside(descriptor) : -1;
    *identity_of(provider, slot) = fxt_i_identity_of(*slot);
    pthread_mutex_unlock(&provider->lock);
}

/* Creation. */

static void on_begin(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    trace_provider_t *provider =
        (trace_provider_t *)(void *)((char *)task - offsetof(trace_provider_t, begin_task));

    (void)dispatcher;
    if (status == ZX_OK)
        fxt_i_connection_begin(provider);
    else
        provider->dispatcher_gone = true;
}

/* A program's name may be any bytes. Bytes that are not UTF-8 become question marks. */
static bool copy_name(char out[FXT_I_NAME_MAX + 1], const char *name)
{
    bool given = name != NULL;

    if (!given)
        name = program_invocation_short_name;
    size_t length = strlen(name);
    if (given &&
        (length == 0 || length > FXT_I_NAME_MAX || !fxt_utf8_valid((const uint8_t *)name, length)))
        return false;
    length = trace_i_cut(name, length, FXT_I_NAME_MAX);
    memcpy(out, name, length);
    if (length == 0)
        out[length++] = '?';
    out[length] = '\0';
    fxt_i_utf8_mend((uint8_t *)out, length);
    return true;
}

static zx_status_t allocate(trace_provider_t **out, async_dispatcher_t *dispatcher,
                            const char *name)
{
    trace_provider_t *provider = calloc(1, sizeof *provider);

    if (provider == NULL)
        return ZX_ERR_NO_MEMORY;
    if (!copy_name(provider->name, name)) {
        free(provider);
        return ZX_ERR_INVALID_ARGS;
    }
    provider->dispatcher = dispatcher;
    provider->connection = -1;
    provider->watch = -1;
    provider->fifo = -1;
    provider->begin_task.handler = on_begin;
    fxt_i_copies_begin(provider);
    pthread_mutex_init(&provider->lock, NULL);
    pthread_mutex_init(&provider->categories.lock, NULL);
    *out = provider;
    return ZX_OK;
}

static void release(trace_provider_t *provider)
{
    fxt_i_categories_clear(&provider->categories);
    pthread_mutex_destroy(&provider->lock);
    pthread_mutex_destroy(&provider->categories.lock);
    free(provider->known);
    free(provider);
}

enum place { NO_PLACE, FIRST, SUCCESSOR };

/* Makes this the one provider of the process, or the successor of one that is being destroyed. Any
   thread. */
static enum place take_place(trace_provider_t *provider)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    enum place place = NO_PLACE;

    pthread_once(&once, prepare_process);
    pthread_mutex_lock(&one_lock);
    if (the_one == NULL) {
        the_one = provider;
        place = FIRST;
    } else if (the_one->destroyed && the_one->next == NULL) {
        the_one->next = provider;
        place = SUCCESSOR;
    }
    pthread_mutex_unlock(&one_lock);
    return place;
}

/* Any thread; takes the lock of the one provider, and holds it while it posts: until then, nobody
   may destroy the successor. */
static void leave_place(const trace_provider_t *provider)
{
    pthread_mutex_lock(&one_lock);
    assert(the_one == provider);
    the_one = provider->next;
    if (the_one != NULL) /* if this fails, its dispatcher is gone, and it does nothing */
        async_post_task(the_one->dispatcher, &the_one->begin_task);
    pthread_mutex_unlock(&one_lock);
}

/* Whether the program is set-user-ID, set-group-ID or has file capabilities. Then its caller may
   not read its traces. The kernel keeps this mark for as long as the program runs, whatever
   rights it gives up. */
static bool has_more_rights_than_its_caller(void)
{
    return getauxval(AT_SECURE) != 0;
}

/* Any thread. Posts the task last: until then, the dispatcher does not know the provider. A successor
   is posted when its predecessor has gone. */
static zx_status_t begin(trace_provider_t *provider, bool *started)
{
    enum place place = take_place(provider);

    if (place != FIRST)
        return place == SUCCESSOR ? ZX_OK : ZX_ERR_ALREADY_EXISTS;
    if (started != NULL)
        fxt_i_connection_begin_now(provider, started);
    zx_status_t status = async_post_task(provider->dispatcher, &provider->begin_task);
    if (status != ZX_OK) {
        fxt_i_provider_set(provider, &provider->connection, -1);
        leave_place(provider); /* a child that is forked before would not close it */
    }
    return status;
}

zx_status_t trace_provider_create_with_status(async_dispatcher_t *dispatcher, const char *name,
                                              bool *out_already_started,
                                              trace_provider_t **out_provider)
{
    trace_provider_t *provider;

    *out_provider = NULL;
    if (out_already_started != NULL)
        *out_already_started = false;
    if (dispatcher == NULL)
        return ZX_ERR_INVALID_ARGS;
    if (has_more_rights_than_its_caller())
        return ZX_ERR_ACCESS_DENIED;
    zx_status_t status = allocate(&provider, dispatcher, name);
    if (status != ZX_OK)
        return status;
    status = begin(provider, out_already_started);
    if (status == ZX_OK)
        *out_provider = provider;
    else
        release(provider);
    return status;
}

static trace_provider_t *create(async_dispatcher_t *dispatcher, const char *name, bool *started)
{
    trace_provider_t *provider;
    trace_provider_create_with_status(dispatcher, name, started, &provider);
    return provider;
}

trace_provider_t *trace_provider_create(async_dispatcher_t *dispatcher)
{
    return create(dispatcher, NULL, NULL);
}

trace_provider_t *trace_provider_create_with_name(async_dispatcher_t *dispatcher, const char *name)
{
    return create(dispatcher, name, NULL);
}

trace_provider_t *trace_provider_create_with_fdio(async_dispatcher_t *dispatcher)
{
    return create(dispatcher, NULL, NULL);
}

trace_provider_t *trace_provider_create_with_name_fdio(async_dispatcher_t *dispatcher,
                                                       const char *name)
{
    return create(dispatcher, name, NULL);
}

trace_provider_t *trace_provider_create_synchronously(async_dispatcher_t *dispatcher,
                                                      const char *name, bool *out_already_started)
{
    bool started;
    return create(dispatcher, name, out_already_started != NULL ? out_already_started : &started);
}

trace_provider_t *trace_provider_create_synchronously_with_fdio(async_dispatcher_t *dispatcher,
                                                                const char *name,
                                                                bool *out_already_started)
{
    return trace_provider_create_synchronously(dispatcher, name, out_already_started);
}

/* Known categories. */

static bool copy_text(char out[FXT_I_NAME_MAX + 1], const char *text, size_t least)
{
    size_t length = text != NULL ? strlen(text) : 0;

    if (length < least || length > FXT_I_NAME_MAX || !fxt_utf8_valid((const uint8_t *)text, length))
        return false;
    if (length > 0)
        memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

/* Any thread; takes the lock when the list is made. */
zx_status_t trace_provider_set_known_categories(trace_provider_t *provider,
                                                const struct trace_known_category *categories,
                                                size_t count)
{
    if (provider == NULL || count > FXT_I_NAMES_MAX)
        return ZX_ERR_INVALID_ARGS;
    struct fxt_i_known *known = calloc(count + 1, sizeof *known);
    if (known == NULL)
        return ZX_ERR_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (!copy_text(known[i].name, categories[i].name, 1) ||
            !copy_text(known[i].description, categories[i].description, 0)) {
            free(known);
            return ZX_ERR_INVALID_ARGS;
        }
    pthread_mutex_lock(&provider->lock);
    struct fxt_i_known *before = provider->known;
    provider->known = known;
    provider->known_count = (uint16_t)count;
    pthread_mutex_unlock(&provider->lock);
    free(before);
    return ZX_OK;
}

/* Destruction, on the dispatcher. If the dispatcher is gone, on the thread that destroys the
   provider. */

void fxt_i_provider_finish_destroying(trace_provider_t *provider)
{
    assert(provider->destroying && !provider->in_session);
    assert(provider->fifo < 0 && provider->buffer == NULL);
    fxt_i_provider_set(provider, &provider->connection, -1);
    leave_place(provider); /* a child that is forked before would not close it */
    release(provider);
}

static void destroy_now(trace_provider_t *provider)
{
    provider->destroying = true;
    async_cancel_task(provider->dispatcher, &provider->begin_task);
    fxt_i_connection_end(provider);
    if (provider->in_session)
        fxt_i_tracing_terminate(provider);
    else
        fxt_i_provider_finish_destroying(provider);
}

static void on_destroy(async_dispatcher_t *dispatcher, async_task_t *task, zx_status_t status)
{
    (void)dispatcher;
    (void)status; /* a dispatcher that shuts down also runs the task */
    destroy_now(
        (trace_provider_t *)(void *)((char *)task - offsetof(trace_provider_t, destroy_task)));
}

static bool unlink_provider(trace_provider_t **at, const trace_provider_t *provider)
{
    while (*at != NULL && *at != provider)
        at = &(*at)->next;
    if (*at == NULL)
        return false;
    *at = (*at)->next;
    return true;
}

/* Any thread. A provider that is in no list, or is already being destroyed, is left alone. One that
   has not begun, or whose dispatcher belongs to a parent, only has memory. */
void trace_provider_destroy(trace_provider_t *provider)
{
    bool works = false;
    bool has_memory = false;

    if (provider == NULL)
        return;
    pthread_mutex_lock(&one_lock);
    if (provider == the_one) {
        works = !provider->destroyed;
        provider->destroyed = true;
    } else {
        has_memory = (the_one != NULL && unlink_provider(&the_one->next, provider)) ||
                     unlink_provider(&inherited, provider);
    }
    pthread_mutex_unlock(&one_lock);
    if (has_memory)
        release(provider);
    if (!works)
        return;
    provider->destroy_task.handler = on_destroy;
    if (async_post_task(provider->dispatcher, &provider->destroy_task) != ZX_OK)
        destroy_now(provider);
}
