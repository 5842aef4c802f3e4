/* What an archive knows of one provider. */
#ifndef FXT_MANAGER_SECTION_H
#define FXT_MANAGER_SECTION_H

#include <stdbool.h>

#include <fxt/check.h>

struct fxt_i_section {
    bool introduced;            /* by a provider info record */
    uint64_t durable_end;       /* bytes of the durable part that are in the archive */
    struct fxt_checker checker; /* has seen every record of it, in their order */
    struct fxt_checker alone;   /* judges one record at a time and remembers none */
    void *memory;               /* of the checkers; NULL: none yet */
};
/* False without memory. */
bool fxt_i_section_begin(struct fxt_i_section *section);
/* As fxt_check_record; more than FXT_FINDINGS_MAX findings when the record cannot be judged. */
uint32_t fxt_i_section_check(struct fxt_i_section *section, const struct fxt_record *record);
/* As fxt_check_record of a checker that has seen nothing else; the findings are in `alone`. */
uint32_t fxt_i_section_check_alone(struct fxt_i_section *section, const struct fxt_record *record);
void fxt_i_section_end(struct fxt_i_section *section);

#endif
