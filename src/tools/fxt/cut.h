/* fxt cut for a command that shows a part of a trace. */
#ifndef FXT_TOOLS_FXT_CUT_H
#define FXT_TOOLS_FXT_CUT_H

#include "src/tools/fxt/edit/edit.h"
#include "src/tools/fxt/part.h"

/* As fxt cut --open=close does, but the records go to a sink, and messages name another command. */
enum exit_code cut_clipped(const struct options *options, const struct part_options *part,
                           const char *command, struct edit_sink *sink);

#endif
