/* The names of system calls. */
#include <stddef.h>

#include "src/kernel/translate.h"

#ifdef __x86_64__

static const char *const names[] = {
#include "src/kernel/calls.inc"
};

const char *fxt_kernel_call_name(int64_t number)
{
    if (number < 0 || (uint64_t)number >= sizeof names / sizeof names[0])
        return NULL;
    return names[number];
}

#else

const char *fxt_kernel_call_name(int64_t number)
{
    (void)number;
    return NULL;
}

#endif
