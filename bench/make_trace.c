/* Writes one of the shapes to stdout: make_trace SHAPE MEGABYTES > trace.fxt */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/shapes.h"

static bool find_shape(enum shape *shape, const char *name)
{
    for (*shape = 0; *shape < SHAPE_COUNT; ++*shape)
        if (strcmp(name, shape_name(*shape)) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    enum shape shape;
    uint64_t records;
    long megabytes = argc == 3 ? atol(argv[2]) : 0;

    if (argc != 3 || !find_shape(&shape, argv[1]) || megabytes < 1 || megabytes > 16384) {
        fprintf(stderr, "usage: make_trace tiny|typical|args MEGABYTES (1 to 16384)\n");
        return 2;
    }
    uint64_t capacity = (uint64_t)megabytes << 20;
    uint8_t *bytes = malloc(capacity);
    if (bytes == NULL) {
        fprintf(stderr, "make_trace: not enough memory for %ld MiB\n", megabytes);
        return 3;
    }
    uint64_t size = shape_fill(shape, bytes, capacity, &records);
    bool good = size > 0 && fwrite(bytes, 1, size, stdout) == size && fflush(stdout) == 0;
    if (!good)
        fprintf(stderr, "make_trace: write error\n");
    free(bytes);
    return good ? 0 : 3;
}
