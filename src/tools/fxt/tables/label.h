/* Processes and threads as people read them: "NAME KOID", or "thread KOID" without a name. */
#ifndef FXT_TOOLS_FXT_TABLES_LABEL_H
#define FXT_TOOLS_FXT_TABLES_LABEL_H

#include "src/timeline/timeline.h"

/* The number of a text, which is added to those of the timeline. */
uint32_t label_process(struct timeline *timeline, uint32_t process);
uint32_t label_thread(struct timeline *timeline, uint32_t thread);

#endif
