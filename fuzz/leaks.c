/* AFL++'s driver looks for no leaks. The linker puts this between the driver and the target
   (--wrap), and it does what libFuzzer does: if an input allocated more often than it freed, LSan
   looks. The other sanitizers have neither hooks nor LSan; then only the target runs. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define LOOKS_MAX 1000 /* for a target that rightly keeps something at each input */

int __real_LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *, size_t),
                                              void (*on_free)(const volatile void *))
    __attribute__((weak));

static atomic_long allocated; /* more often than freed */

static void on_malloc(const volatile void *at, size_t size)
{
    (void)at;
    (void)size;
    atomic_fetch_add_explicit(&allocated, 1, memory_order_relaxed);
}

static void on_free(const volatile void *at)
{
    (void)at;
    atomic_fetch_sub_explicit(&allocated, 1, memory_order_relaxed);
}

static int can_look(void)
{
    static int able = -1;
    if (able < 0)
        able = __lsan_do_recoverable_leak_check != NULL &&
               __sanitizer_install_malloc_and_free_hooks != NULL &&
               __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free) != 0;
    return able;
}

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int looks = LOOKS_MAX;
    int able = can_look();
    atomic_store_explicit(&allocated, 0, memory_order_relaxed);
    int result = __real_LLVMFuzzerTestOneInput(bytes, size);
    if (able && looks > 0 && atomic_load_explicit(&allocated, memory_order_relaxed) > 0) {
        looks--;
        if (__lsan_do_recoverable_leak_check() != 0)
            abort();
    }
    return result;
}
