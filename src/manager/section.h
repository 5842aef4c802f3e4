/* An archive's state of one provider. */
#ifndef FXT_MANAGER_SECTION_H
#define FXT_MANAGER_SECTION_H

#include <stdbool.h>

#include <fxt/check.h>

struct fxt_i_section {
    bool introduced;             /* a provider info record was written */
    uint64_t durable_end;        /* bytes of the durable part that the archive has */
    struct fxt_checker *checker; /* has seen every record of the provider, in order */
    struct fxt_checker *alone;   /* judges one record at a time and keeps no state */
    void *memory;                /* the checkers and what they use; NULL: none yet */
};
/* False if there is no memory. */
bool fxt_i_section_begin(struct fxt_i_section *section);
/* Like fxt_check_record. Returns more than FXT_FINDINGS_MAX if the record cannot be judged. */
uint32_t fxt_i_section_check(struct fxt_i_section *section, const struct fxt_record *record);
/* Like fxt_check_record of a checker that has seen nothing else. The findings are in `alone`. */
uint32_t fxt_i_section_check_alone(struct fxt_i_section *section, const struct fxt_record *record);
void fxt_i_section_end(struct fxt_i_section *section);

#endif
