/* The name that was probably meant. */
#ifndef FXT_CLI_NEAREST_H
#define FXT_CLI_NEAREST_H

struct nearest {
    const char *word; /* what was typed; ends at '=' */
    const char *name; /* the nearest name so far, or NULL: none is near */
    unsigned typos;   /* between the two */
};

struct nearest nearest_begin(const char *word);

/* Compares one more name, which must outlive *nearest. */
void nearest_try(struct nearest *nearest, const char *name);

#endif
