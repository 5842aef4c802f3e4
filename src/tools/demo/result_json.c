/* Conversion to Chrome's JSON. No state. */
#include <fxt/read.h>
#include <stdio.h>
#include <stdlib.h>

#include "src/convert/chrome.h"
#include "src/tools/demo/result.h"

enum { PROVIDERS = 16, OBJECTS = 256, ARENA = 1 << 20, BUFFER = 1 << 16 };

static bool flush(void *context, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, context) == size;
}

struct memory {
    struct fxt_chrome_memory chrome;
    struct fxt_provider providers[PROVIDERS];
    uint32_t ids[PROVIDERS];
    struct fxt_object objects[OBJECTS];
    uint8_t arena[ARENA];
    char buffer[BUFFER];
};

static bool convert(uint64_t *events, FILE *file, const struct archive *archive,
                    struct memory *memory)
{
    struct fxt_tables_memory tables_memory = {
        memory->providers, memory->ids, memory->objects, memory->arena, PROVIDERS, OBJECTS, ARENA};
    struct fxt_out out = {memory->buffer, BUFFER, 0, flush, file, false};
    struct fxt_tables tables;
    struct fxt_chrome chrome;
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    enum fxt_status status;

    fxt_tables_init(&tables, &tables_memory);
    fxt_chrome_init(&chrome, &out, &tables, &memory->chrome);
    fxt_reader_init(&reader, archive->bytes, archive->size);
    while ((status = fxt_reader_next(&reader, &record, &error)) == FXT_OK) {
        if (fxt_tables_apply(&tables, &record, &error) != FXT_OK ||
            fxt_chrome_record(&chrome, &record) != FXT_OK)
            return false;
    }
    fxt_chrome_end(&chrome);
    fxt_out_flush(&out);
    *events = chrome.events;
    return status == FXT_END && !out.failed;
}

bool result_save_json(uint64_t *events, const char *path, const struct archive *archive)
{
    struct memory *memory = calloc(1, sizeof *memory);
    FILE *file = fopen(path, "wb");
    bool saved = memory != NULL && file != NULL && convert(events, file, archive, memory);

    if (file != NULL && fclose(file) != 0)
        saved = false;
    if (!saved)
        perror(path);
    free(memory);
    return saved;
}
