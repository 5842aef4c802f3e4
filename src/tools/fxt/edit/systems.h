/* Traces of several systems: two hosts, two containers, or one host that was started twice. Their koids
   say nothing of each other. */
#ifndef FXT_TOOLS_FXT_EDIT_SYSTEMS_H
#define FXT_TOOLS_FXT_EDIT_SYSTEMS_H

#include "src/timeline/map.h"
#include "src/timeline/texts.h"
#include "src/tools/fxt/edit/walk.h"

/* Two processes of one koid, by the names that files give them. */
struct systems_clash {
    uint64_t koid;
    uint32_t files[2];
    uint32_t names[2]; /* texts */
};

struct systems {
    struct texts texts;
    struct map names; /* of processes, by koid: the first ones */
    struct map files; /* the latest that names the process */
    bool differ;
    struct systems_clash clash; /* the first one */
};

/* False after a message. */
bool systems_init(struct systems *systems);
void systems_free(struct systems *systems);

/* Takes a record of a file, in the order of the files. If the first name of a process is not that of
   an earlier file, the systems differ. False if there is no memory. */
bool systems_take(struct systems *systems, const struct walk *walk, const struct item *item,
                  uint32_t file);

/* Koids of the traces that come first stay. One that a later trace has, too, becomes a new one there:
   2^30 and more, which is above the numbers of Linux and stays exact in readers of 32 bits. Bit 63
   stays. Koid 0, which names nothing, stays. */
struct systems_koids {
    struct map taken; /* koids of the output */
    struct map mine;  /* by trace and koid: what it became */
    uint32_t next;
};

/* trace: counts the traces. False if there is no memory. */
bool systems_koid(struct systems_koids *koids, uint64_t trace, uint64_t koid, uint64_t *to);
void systems_koids_free(struct systems_koids *koids);

#endif
