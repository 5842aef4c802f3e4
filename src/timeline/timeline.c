/* The memory of the timeline. */
#include "src/timeline/timeline.h"

bool timeline_init(struct timeline *timeline)
{
    bool good = true;
    *timeline = (struct timeline){.texts.bytes = NULL};
#define INIT(name, type) good = array_init(&timeline->name, sizeof(struct type)) && good;
    TIMELINE_ROWS(INIT)
#undef INIT
    return texts_init(&timeline->texts) && good;
}

void timeline_free(struct timeline *timeline)
{
#define FREE(name, type) array_free(&timeline->name);
    TIMELINE_ROWS(FREE)
#undef FREE
    texts_free(&timeline->texts);
}

bool timeline_failed(const struct timeline *timeline)
{
    bool failed = timeline->texts.failed || timeline->texts.rows.failed;
#define FAILED(name, type) failed = failed || timeline->name.failed;
    TIMELINE_ROWS(FAILED)
#undef FAILED
    return failed;
}
