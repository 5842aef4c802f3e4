/* Columns whose values are made: functions for SHAPE_CALL. */
#ifndef FXT_TOOLS_FXT_TABLES_CELLS_H
#define FXT_TOOLS_FXT_TABLES_CELLS_H

#include "src/tools/fxt/tables/schema.h"

#define CELL_GETTERS(GET)                                                                          \
    GET(slice_event)                                                                               \
    GET(slice_scope)                                                                               \
    GET(thread_tid)                                                                                \
    GET(thread_koid)                                                                               \
    GET(thread_ref)                                                                                \
    GET(thread_is_main)                                                                            \
    GET(thread_is_idle)                                                                            \
    GET(track_name)                                                                                \
    GET(track_type)                                                                                \
    GET(track_id)                                                                                  \
    GET(counter_value)                                                                             \
    GET(counter_exact)                                                                             \
    GET(counter_type)                                                                              \
    GET(arg_int)                                                                                   \
    GET(arg_string)                                                                                \
    GET(arg_real)                                                                                  \
    GET(arg_value_type)                                                                            \
    GET(arg_display)                                                                               \
    GET(arg_type)                                                                                  \
    GET(arg_blob)                                                                                  \
    GET(sched_end_state)                                                                           \
    GET(state_name)                                                                                \
    GET(stray_event)                                                                               \
    GET(stray_end)                                                                                 \
    GET(stray_async_id)                                                                            \
    GET(flow_event_event)                                                                          \
    GET(object_kind)                                                                               \
    GET(object_key)                                                                                \
    GET(object_process)                                                                            \
    GET(blob_ts)                                                                                   \
    GET(stat_source)                                                                               \
    GET(metadata_key_type)                                                                         \
    GET(metadata_number)

#define DECLARE(name)                                                                              \
    void cell_##name(const struct timeline *timeline, uint32_t row, struct cell *cell);
CELL_GETTERS(DECLARE)
#undef DECLARE

static inline void cell_null(struct cell *cell)
{
    cell->kind = CELL_NULL;
}

static inline void cell_integer(struct cell *cell, uint64_t number)
{
    cell->kind = CELL_INTEGER;
    memcpy(&cell->integer, &number, sizeof cell->integer);
}

static inline void cell_text(struct cell *cell, struct fxt_bytes text)
{
    cell->kind = CELL_TEXT;
    cell->bytes = text;
}

void cell_plain(struct cell *cell, const char *text);
void cell_decimal(struct cell *cell, uint64_t number);

#endif
