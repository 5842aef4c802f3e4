/* Names, texts and log records. */
#include "src/tools/demo/say.h"

#include <fxt/check.h>
#include <string.h>
#include <time.h>
#include <trace/event.h>

uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

const char *safe_text(char *safe, const char *text)
{
    size_t length = strnlen(text, SAFE_BYTES - 1);
    memcpy(safe, text, length);
    safe[length] = '\0';
    if (!fxt_utf8_valid((const uint8_t *)safe, length))
        for (size_t i = 0; i < length; i++)
            if ((safe[i] & 0x80) != 0)
                safe[i] = '?';
    return safe;
}

void say_log(const char *message)
{
    trace_context_t *context = trace_acquire_context();
    trace_thread_ref_t self;

    if (context == NULL)
        return;
    trace_context_register_current_thread(context, &self);
    trace_context_write_log_record(context, trace_get_ticks(), &self, message, strlen(message));
    trace_release_context(context);
}
