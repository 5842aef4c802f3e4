/* The memory of the tables. */
#include "src/tools/fxt/tables/tables.h"

bool tables_init(struct tables *tables)
{
    bool good = true;
    *tables = (struct tables){.texts.bytes = NULL};
#define INIT(name, type) good = array_init(&tables->name, sizeof(struct type)) && good;
    TABLES_ROWS(INIT)
#undef INIT
    return texts_init(&tables->texts) && good;
}

void tables_free(struct tables *tables)
{
#define FREE(name, type) array_free(&tables->name);
    TABLES_ROWS(FREE)
#undef FREE
    texts_free(&tables->texts);
}

bool tables_failed(const struct tables *tables)
{
    bool failed = tables->texts.failed || tables->texts.rows.failed;
#define FAILED(name, type) failed = failed || tables->name.failed;
    TABLES_ROWS(FAILED)
#undef FAILED
    return failed;
}
