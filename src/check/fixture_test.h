/* What the tests of the checker share: memory for a checker, a writer, and one call that runs a
   trace through a checker and keeps its findings. */
#ifndef FXT_CHECK_FIXTURE_TEST_H
#define FXT_CHECK_FIXTURE_TEST_H

#include <criterion/criterion.h>
#include <endian.h>
#include <fxt/check.h>
#include <fxt/read.h>
#include <fxt/write.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 4096

struct kept {
    struct fxt_finding findings[KEPT];
    uint32_t count;
};

struct bench {
    struct fxt_check_memory memory;
    struct fxt_checker checker;
    struct fxt_writer writer;
    struct kept kept;
    enum fxt_rule ignored; /* findings of this rule are not kept */
    uint8_t bytes[1 << 20];
};

static inline void set_memory(struct bench *b, uint32_t providers, uint64_t arena, uint32_t objects,
                              uint32_t threads, uint32_t opens)
{
    b->memory.tables.providers = calloc(providers, sizeof(struct fxt_provider));
    b->memory.tables.provider_ids = calloc(providers, sizeof(uint32_t));
    b->memory.tables.provider_max = providers;
    b->memory.tables.objects = objects > 0 ? calloc(objects, sizeof(struct fxt_object)) : NULL;
    b->memory.tables.object_max = objects;
    b->memory.tables.arena = malloc(arena);
    b->memory.tables.arena_size = arena;
    b->memory.threads = calloc(threads, sizeof(struct fxt_check_thread));
    b->memory.thread_max = threads;
    b->memory.opens = calloc(opens, sizeof(struct fxt_check_open));
    b->memory.open_max = opens;
}

static inline struct bench *new_bench(void)
{
    struct bench *b = calloc(1, sizeof *b);
    set_memory(b, 4, 1 << 16, 64, 64, 64);
    fxt_writer_init(&b->writer, b->bytes, sizeof b->bytes);
    return b;
}

static inline void free_bench(struct bench *b)
{
    free(b->memory.tables.providers);
    free(b->memory.tables.provider_ids);
    free(b->memory.tables.objects);
    free(b->memory.tables.arena);
    free(b->memory.threads);
    free(b->memory.opens);
    free(b);
}

static inline void keep(struct bench *b, const struct fxt_finding *finding)
{
    if (b->ignored != FXT_RULE_NONE && finding->rule == b->ignored)
        return;
    cr_assert(b->kept.count < KEPT);
    b->kept.findings[b->kept.count++] = *finding;
}

static inline void keep_all(struct bench *b, uint32_t count)
{
    uint32_t stored = count < FXT_FINDINGS_MAX ? count : FXT_FINDINGS_MAX;
    for (uint32_t i = 0; i < stored; i++)
        keep(b, &b->checker.findings[i]);
}

/* Checks what the writer holds. */
static inline void run_check(struct bench *b, enum fxt_edition edition)
{
    struct fxt_reader reader;
    struct fxt_record record;
    struct fxt_error error;
    struct fxt_finding finding;
    enum fxt_status status;

    b->kept.count = 0;
    fxt_check_init(&b->checker, &b->memory, edition);
    fxt_reader_init(&reader, b->bytes, b->writer.size);
    while ((status = fxt_reader_next(&reader, &record, &error)) != FXT_END) {
        if (status == FXT_OK)
            keep_all(b, fxt_check_record(&b->checker, &record));
        else
            keep_all(b, fxt_check_error(&b->checker, &error));
        if (status != FXT_OK && status != FXT_ZERO_WORD)
            break;
    }
    while (fxt_check_end(&b->checker, &finding))
        keep(b, &finding);
}

/* The findings as text, "EVT-04@24 REC-08@40", to compare at a glance. */
static inline const char *findings(const struct bench *b)
{
    static char text[1 << 16];
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < b->kept.count && at < sizeof text - 64; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s@%llu", i > 0 ? " " : "",
                               fxt_rule_id(b->kept.findings[i].rule),
                               (unsigned long long)b->kept.findings[i].offset);
    return text;
}

#define expect_findings(b, text) cr_assert_str_eq(findings(b), text)

static inline void word(struct bench *b, uint64_t value)
{
    value = htole64(value);
    cr_assert_eq(fxt_write_raw(&b->writer, (const uint8_t *)&value, 8), FXT_OK);
}

static inline void magic(struct bench *b)
{
    cr_assert_eq(fxt_write_magic(&b->writer), FXT_OK);
}

static inline void name(struct bench *b, uint16_t index, const char *text)
{
    struct fxt_string in = {.index = index, .value = {(const uint8_t *)text, strlen(text)}};
    cr_assert_eq(fxt_write_string(&b->writer, &in), FXT_OK);
}

static inline void thread(struct bench *b, uint8_t index, uint64_t process, uint64_t koid)
{
    struct fxt_thread in = {.index = index, .process = process, .thread = koid};
    cr_assert_eq(fxt_write_thread(&b->writer, &in), FXT_OK);
}

static inline void section(struct bench *b, uint32_t id)
{
    struct fxt_provider_section in = {.provider_id = id};
    cr_assert_eq(fxt_write_provider_section(&b->writer, &in), FXT_OK);
}

static inline void provider(struct bench *b, uint32_t id, const char *text)
{
    struct fxt_provider_info in = {.provider_id = id,
                                   .name = {(const uint8_t *)text, strlen(text)}};
    cr_assert_eq(fxt_write_provider_info(&b->writer, &in), FXT_OK);
}

/* Magic, strings 1 "cat" and 2 "name", thread 1: 64 bytes. */
static inline void prologue(struct bench *b)
{
    magic(b);
    name(b, 1, "cat");
    name(b, 2, "name");
    thread(b, 1, 100, 200);
}

static inline void event(struct bench *b, uint8_t type, uint64_t timestamp, uint64_t value)
{
    struct fxt_event in = {.event_type = type,
                           .timestamp = timestamp,
                           .value = value,
                           .category = fxt_string_index(1),
                           .name = fxt_string_index(2),
                           .thread = fxt_thread_index(1)};
    cr_assert_eq(fxt_write_event(&b->writer, &in, NULL, 0), FXT_OK);
}

#endif
