/* The record with the name of this process. */
#include "src/engine/process.h"

#include <lib/trace-engine/context.h>
#include <lib/trace-engine/instrumentation.h>

#include "src/engine/os.h"

void fxt_i_name_process(void)
{
    trace_string_ref_t name = trace_make_inline_c_string_ref(fxt_i_program_name());
    trace_context_t *context = trace_acquire_context();

    if (context == NULL)
        return;
    trace_context_write_process_info_record(context, (zx_koid_t)fxt_i_process_id(), &name);
    trace_release_context(context);
}
