/* Strings and times. Invariant: a number in `strings` whose generation is that of its provider is
   that of the text which the string has now. */
#include "src/timeline/refs.h"

#include <stdio.h>
#include <string.h>

bool refs_init(struct refs *refs, refs_add *add, void *texts)
{
    struct fxt_check_memory memory;
    if (!memory_get(&memory))
        return false;
    fxt_tables_init(&refs->tables, &memory.tables);
    refs->first = UINT64_MAX;
    refs->add = add;
    refs->texts = texts;
    return true;
}

void refs_set_string(struct refs *refs, const struct fxt_string *string)
{
    refs->strings[refs->tables.current % TOOL_PROVIDERS][string->index].generation = 0;
    if (fxt_tables_set_string(&refs->tables, string) == FXT_FULL)
        refs->tables_full = true;
}

void refs_set_thread(struct refs *refs, const struct fxt_thread *thread)
{
    fxt_tables_set_thread(&refs->tables, thread);
}

void refs_apply(struct refs *refs, const struct fxt_record *record)
{
    struct fxt_string string;
    struct fxt_error error;
    if (record->type == FXT_RECORD_STRING && fxt_read_string(record, &string, &error) == FXT_OK)
        refs_set_string(refs, &string);
    else if (fxt_tables_apply(&refs->tables, record, &error) == FXT_FULL)
        refs->tables_full = true;
}

bool refs_select(struct refs *refs, uint32_t provider_id)
{
    const struct fxt_tables *tables = &refs->tables;
    uint32_t i = 0;
    while (i < tables->provider_count && tables->provider_ids[i] != provider_id)
        i++;
    return i < tables->provider_count && fxt_tables_select(&refs->tables, provider_id) == FXT_OK;
}

uint32_t refs_new_text(struct refs *refs, struct fxt_string_ref ref)
{
    struct fxt_bytes text;
    char unknown[32];
    if (!fxt_tables_string(&refs->tables, &text, ref))
        text = (struct fxt_bytes){
            (const uint8_t *)unknown,
            (uint64_t)sprintf(unknown, "<unknown #%u>", (unsigned)ref.ref),
        };
    uint32_t number = refs->add(refs->texts, text);
    if (ref.ref < FXT_STRING_INLINE)
        refs->strings[refs->tables.current % TOOL_PROVIDERS][ref.ref] =
            (struct refs_string){fxt_tables_provider(&refs->tables)->generation, number};
    return number;
}

bool refs_is_idle(const struct refs *refs, struct fxt_thread_ref thread, uint16_t priority)
{
    return fxt_convert_is_idle(&refs->tables, thread, priority);
}

int32_t refs_weight(const struct refs *refs, struct fxt_args args, const char *name)
{
    return fxt_convert_weight(&refs->tables, args, name);
}
