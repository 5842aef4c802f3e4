/* pthread_mutex_lock, put before that of the C library. A lock that is free costs one call more; the time
   of a wait is an event. Waits of the engine's own library are not recorded: an event of theirs could
   need the lock that they have just taken. */
#include "src/auto/auto.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>

#include <trace/event.h>

typedef int locker(pthread_mutex_t *mutex);

static struct {
    uintptr_t begin; /* of the engine's library */
    uintptr_t end;
    bool is_on;
} watch;

static int take_range(struct dl_phdr_info *info, size_t size, void *context)
{
    uintptr_t engine = *(const uintptr_t *)context;

    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD || engine < begin || engine - begin >= part->p_memsz)
            continue;
        watch.begin = begin;
        watch.end = begin + part->p_memsz;
        return 1;
    }
    return 0;
}

void fxt_auto_watch_locks(void)
{
    Dl_info info;
    void *engine = dlsym(RTLD_DEFAULT, "trace_generate_nonce");
    uintptr_t place = (uintptr_t)engine;

    if (engine == NULL || dladdr(engine, &info) == 0)
        return;
    dl_iterate_phdr(take_range, &place);
    watch.is_on = true;
}

static int wait(locker *lock, pthread_mutex_t *mutex)
{
    TRACE_DURATION("lock", "pthread_mutex_lock", "mutex", TA_POINTER(mutex));
    return lock(mutex);
}

__attribute__((visibility("default"))) int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    static locker *next;
    uintptr_t caller = (uintptr_t)__builtin_return_address(0);

    if (next == NULL) /* threads that are here at once find the same */
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_mutex_lock");
    if (!watch.is_on || (caller >= watch.begin && caller < watch.end))
        return next(mutex);
    int status = pthread_mutex_trylock(mutex);
    return status == EBUSY ? wait(next, mutex) : status;
}
