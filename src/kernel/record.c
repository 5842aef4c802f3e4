/* What goes into records: categories, texts, and records for which the engine has no function. */
#include <string.h>

#include "src/base/word.h"
#include "src/engine/atomic.h"
#include "src/kernel/translate_i.h"

const char *fxt_kernel_category(uint32_t number)
{
    static const char *const names[FXT_KERNEL_GROUPS] = {
        "kernel:sched", "kernel:syscall", "kernel:irq", "kernel:freq", "kernel:meta"};
    return names[number];
}

trace_string_ref_t fxt_kernel_literal(trace_context_t *context, const char *literal)
{
    trace_string_ref_t ref;
    trace_context_register_string_literal(context, literal, &ref);
    return ref;
}

struct fxt_string_ref fxt_kernel_literal_ref(trace_context_t *context, const char *literal)
{
    const trace_string_ref_t ref = fxt_kernel_literal(context, literal);
    if (trace_is_inline_string_ref(&ref))
        return fxt_string_inline(literal, strlen(literal));
    return fxt_string_index((uint16_t)ref.encoded_value);
}

bool fxt_kernel_put_record(trace_context_t *context, const uint8_t *bytes, uint64_t size)
{
    uint8_t *place = trace_context_alloc_record(context, size);
    if (place == NULL)
        return false;
    memcpy(place + 8, bytes + 8, size - 8);
    fxt_i_publish(place, fxt_load_word(bytes));
    return true;
}
