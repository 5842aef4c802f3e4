/* A set of distinct strings. */
#ifndef FXT_MANAGER_NAMES_H
#define FXT_MANAGER_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/protocol/packet.h"

struct fxt_i_names {
    char **names;
    uint32_t count;
};
bool fxt_i_names_add(struct fxt_i_names *names, const char *name, size_t length);
bool fxt_i_names_have(const struct fxt_i_names *names, const char *name);
void fxt_i_names_free(struct fxt_i_names *names);

struct fxt_bytes fxt_i_bytes_of(const char *name);
/* A copy of the name, terminated by NUL. */
void fxt_i_copy_name(char out[FXT_I_NAME_MAX + 1], struct fxt_bytes name);

#endif
