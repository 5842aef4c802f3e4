/* Saving: from a buffer into an archive. */
#ifndef FXT_MANAGER_SAVE_H
#define FXT_MANAGER_SAVE_H

#include "src/manager/state.h"

/* Returns the save of that kind. */
static inline struct fxt_i_save *fxt_i_save_of(struct fxt_i_tracee *tracee,
                                               enum fxt_i_save_kind kind)
{
    return kind == FXT_I_SAVE_ALL ? &tracee->snapshot : &tracee->save;
}

enum fxt_i_save_verdict {
    FXT_I_SAVE_BEGUN,
    FXT_I_SAVE_NONE,   /* nothing to save, or the tracee's request is impossible */
    FXT_I_SAVE_BROKEN, /* the buffer's header breaks the rules, and did not before */
};
/* Begins to save the half that the tracee has handed over, or everything that is not saved yet,
   or the whole buffer. No other save of this tracee may be writing to that archive. */
enum fxt_i_save_verdict fxt_i_save_begin(struct fxt_i_tracee *tracee, enum fxt_i_save_kind kind,
                                         struct fxt_i_archive *archive);
/* Goes on for a few milliseconds. True if the save is done or the archive has failed. */
bool fxt_i_save_some(struct fxt_i_save *save);
/* Ends the save where it is. */
void fxt_i_save_end(struct fxt_i_save *save);
/* Reads the header of the buffer again, for the statistics. */
void fxt_i_save_reread_header(struct fxt_i_tracee *tracee);

#endif
