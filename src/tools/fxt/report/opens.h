/* What waits for its counterpart: begins and ends of durations (src/timeline/pairing.h) and of
   async events. One pool for all lists. */
#ifndef FXT_TOOLS_FXT_REPORT_OPENS_H
#define FXT_TOOLS_FXT_REPORT_OPENS_H

#include "src/timeline/pairing.h"
#include "src/cli/size.h"
#include "src/tools/fxt/report/spans.h"

#define OPENS_MAX TOOL_SIZE(262144u)
#define STRAYS_MAX (OPENS_MAX / 4)

struct opens {
    uint32_t used;
    uint32_t free;
    uint32_t strays;   /* ends that wait */
    bool full;         /* something was left out */
    bool lacks_strays; /* an end was, whose begin may come later */
    struct open it[OPENS_MAX];
};

/* The number of a new node, which is in no list; 0 if there is no room. */
uint32_t opens_new(struct opens *opens, const struct open *open);

/* The same for an end. Many of them leave room for begins. */
uint32_t opens_new_stray(struct opens *opens, const struct open *end);

struct open opens_free(struct opens *opens, uint32_t node);

/* The nodes as rows of a pairing. */
struct pairing_rows opens_rows(struct opens *opens);

#endif
