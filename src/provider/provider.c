/* The public functions of a provider. A process has at most one. A forked child has none, and
   closes the descriptors that it inherited from its parent's. */
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
static trace_provider_t *the_one; /* the provider of this process, or NULL; under that lock */

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

static void close_inherited(int *slot)
{
    if (*slot >= 0)
        close(*slot);
    *slot = -1;
}

static void in_forked_child(void)
{
    if (the_one != NULL) {
        close_inherited(&the_one->connection);
        close_inherited(&the_one->watch);
        close_inherited(&the_one->fifo);
        /* another thread of the parent may have held it, in the middle of a change */
        pthread_mutex_init(&the_one->categories.lock, NULL);
        the_one->categories.names = NULL;
        the_one->categories.count = 0;
        the_one->categories.of_session = 0;
    }
    after_fork();
    the_one = NULL;
}

static void prepare_process(void)
{
    pthread_atfork(before_fork, after_fork, in_forked_child);
}

void fxt_i_provider_set(trace_provider_t *provider, int *slot, int descriptor)
{
    assert(slot == &provider->connection || slot == &provider->watch || slot == &provider->fifo);
    assert(descriptor < 0 || descriptor != *slot);
    pthread_mutex_lock(&provider->lock);
    if (*slot >= 0)
        close(*slot);
    *slot = descriptor;
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

static trace_provider_t *allocate(async_dispatcher_t *dispatcher, const char *name)
{
    trace_provider_t *provider = calloc(1, sizeof *provider);

    if (provider == NULL)
        return NULL;
    if (!copy_name(provider->name, name)) {
        free(provider);
        return NULL;
    }
    provider->dispatcher = dispatcher;
    provider->owner = getpid();
    provider->connection = -1;
    provider->watch = -1;
    provider->fifo = -1;
    provider->begin_task.handler = on_begin;
    pthread_mutex_init(&provider->lock, NULL);
    pthread_mutex_init(&provider->categories.lock, NULL);
    return provider;
}

static void release(trace_provider_t *provider)
{
    fxt_i_categories_clear(&provider->categories);
    pthread_mutex_destroy(&provider->lock);
    pthread_mutex_destroy(&provider->categories.lock);
    free(provider->known);
    free(provider);
}

/* Makes this the one provider of the process. False if there already is one. Any thread. */
static bool become_the_one(trace_provider_t *provider)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, prepare_process);
    pthread_mutex_lock(&one_lock);
    bool first = the_one == NULL;
    if (first)
        the_one = provider;
    pthread_mutex_unlock(&one_lock);
    return first;
}

/* Any thread; takes the lock of the one provider. */
static void be_the_one_no_more(trace_provider_t *provider)
{
    pthread_mutex_lock(&one_lock);
    if (the_one == provider)
        the_one = NULL;
    pthread_mutex_unlock(&one_lock);
}

/* Whether the program is set-user-ID, set-group-ID or has file capabilities. Then its caller may
   not read its traces. The kernel keeps this mark for as long as the program runs, whatever
   rights it gives up. */
static bool has_more_rights_than_its_caller(void)
{
    return getauxval(AT_SECURE) != 0;
}

/* Any thread. Posts the task last: until then, the dispatcher does not know the provider. */
static trace_provider_t *create(async_dispatcher_t *dispatcher, const char *name, bool *started)
{
    if (started != NULL)
        *started = false;
    if (dispatcher == NULL || has_more_rights_than_its_caller())
        return NULL;
    trace_provider_t *provider = allocate(dispatcher, name);
    if (provider == NULL)
        return NULL;
    if (!become_the_one(provider)) {
        release(provider);
        return NULL;
    }
    if (started != NULL)
        fxt_i_connection_begin_now(provider, started);
    if (async_post_task(dispatcher, &provider->begin_task) == ZX_OK)
        return provider;
    fxt_i_provider_set(provider, &provider->connection, -1);
    be_the_one_no_more(provider); /* a child that is forked before would not close it */
    release(provider);
    return NULL;
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
    be_the_one_no_more(provider); /* a child that is forked before would not close it */
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

/* Any thread, once for each provider. */
void trace_provider_destroy(trace_provider_t *provider)
{
    if (provider == NULL)
        return;
    if (provider->owner != getpid()) { /* the dispatcher belongs to the parent */
        release(provider);
        return;
    }
    provider->destroy_task.handler = on_destroy;
    if (async_post_task(provider->dispatcher, &provider->destroy_task) != ZX_OK)
        destroy_now(provider);
}
