/* Saving: from a buffer into an archive. */
#ifndef FXT_MANAGER_SAVE_H
#define FXT_MANAGER_SAVE_H

#include "src/manager/state.h"

/* Where a save of that kind is done. */
static inline struct fxt_i_save *fxt_i_save_of(struct fxt_i_tracee *tracee,
                                               enum fxt_i_save_kind kind)
{
    return kind == FXT_I_SAVE_ALL ? &tracee->snapshot : &tracee->save;
}

enum fxt_i_save_verdict {
    FXT_I_SAVE_BEGUN,
    FXT_I_SAVE_NONE,   /* there is nothing to take, or what the tracee says cannot be */
    FXT_I_SAVE_BROKEN, /* the header of its buffer breaks the rules, which it did not before */
};
/* The half that it has asked for, or what is not saved yet, or all. No other save of it goes into that
   archive. */
enum fxt_i_save_verdict fxt_i_save_begin(struct fxt_i_tracee *tracee, enum fxt_i_save_kind kind,
                                         struct fxt_i_archive *archive);
/* Goes on, for a few milliseconds. True when it is done, or the archive has failed. */
bool fxt_i_save_some(struct fxt_i_save *save);
/* Ends it as it is. */
void fxt_i_save_end(struct fxt_i_save *save);
/* What its header says by now: for the statistics. */
void fxt_i_save_look(struct fxt_i_tracee *tracee);

#endif
