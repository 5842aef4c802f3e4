/* AFL++ and the kit: a library that afl-fuzz loads. It mutates, and trims inputs by whole records.
     cc -O2 -shared -fPIC -o fxt_afl.so fxt_afl.c fxt_fuzz.c
     AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/fxt_afl.so afl-fuzz ...
   afl-fuzz still does its own mutations, unless AFL_CUSTOM_MUTATOR_ONLY is set. */
#include <stdlib.h>
#include <string.h>

#include "fxt_fuzz.h"

#define INPUT_MAX (1u << 20) /* as MAX_FILE of afl-fuzz */
#define TRIM_MAX 64          /* runs for one input */

struct state {
    uint64_t seed; /* of the next mutation */
    size_t size;   /* of the input that is trimmed */
    size_t next_size;
    size_t record; /* that is tried next */
    int steps;
    uint8_t out[INPUT_MAX];
    uint8_t trimmed[INPUT_MAX];
};

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t max);
int32_t afl_custom_init_trim(void *data, uint8_t *bytes, size_t size);
size_t afl_custom_trim(void *data, uint8_t **out);
int32_t afl_custom_post_trim(void *data, uint8_t success);
void afl_custom_deinit(void *data);

void *afl_custom_init(void *afl, unsigned seed)
{
    struct state *state = calloc(1, sizeof *state);
    (void)afl;
    if (state != NULL)
        state->seed = (uint64_t)seed << 32;
    return state;
}

size_t afl_custom_fuzz(void *data, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t max)
{
    struct state *state = data;
    uint64_t seed = state->seed++;
    if (max > INPUT_MAX)
        max = INPUT_MAX;
    size = size < max ? size : max;
    *out = state->out;
    if (seed % 8 == 0 && other != NULL)
        return fxt_fuzz_splice(state->out, max, bytes, size, other, other_size, seed);
    memcpy(state->out, bytes, size);
    return fxt_fuzz_mutate(state->out, size, max, seed);
}

/* The number of runs; 0 when the input is not trimmed. */
int32_t afl_custom_init_trim(void *data, uint8_t *bytes, size_t size)
{
    struct state *state = data;
    if (size > INPUT_MAX)
        return 0;
    memcpy(state->trimmed, bytes, size);
    state->size = size;
    state->record = 0;
    state->steps = 0;
    return TRIM_MAX;
}

size_t afl_custom_trim(void *data, uint8_t **out)
{
    struct state *state = data;
    memcpy(state->out, state->trimmed, state->size);
    state->next_size = fxt_fuzz_remove(state->out, state->size, state->record);
    *out = state->out;
    return state->next_size;
}

/* `success`: the target still takes the same path without the record. */
int32_t afl_custom_post_trim(void *data, uint8_t success)
{
    struct state *state = data;
    int over = state->next_size == state->size; /* there was no such record */
    if (success) {
        memcpy(state->trimmed, state->out, state->next_size);
        state->size = state->next_size;
    } else {
        state->record++;
    }
    return over ? TRIM_MAX : ++state->steps;
}

void afl_custom_deinit(void *data)
{
    free(data);
}
