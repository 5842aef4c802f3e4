/* The file of a recording that survives the program: <trace/internal/recording.h>.

   One thread at a time calls these functions. Errors are errno values. */
#ifndef FXT_RECORDER_MAPPED_H
#define FXT_RECORDER_MAPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fxt_i_mapped {
    char *path;     /* absolute: the program may change its directory */
    uint8_t *bytes; /* the buffer, then the page; NULL: nothing is mapped */
    size_t buffer_bytes;
    int file; /* at the end of the archive */
};

/* Takes the file for this process, creates or empties it, and allocates and maps it.
     EBUSY     another recording has it
     EINVAL    it is no regular file */
int fxt_i_mapped_open(struct fxt_i_mapped *out, const char *path, size_t buffer_bytes);

/* What is in the archive from now on. */
void fxt_i_mapped_commit(struct fxt_i_mapped *it, uint64_t archive_bytes, uint64_t durable_bytes,
                         uint32_t next_lap);

/* Replaces the file by its archive of so many bytes, which has all records. The descriptor is still the
   file. If it fails, the file is as it was. */
int fxt_i_mapped_finish(struct fxt_i_mapped *it, uint64_t archive_bytes);

/* Unmaps and forgets the file, which stays as it is. Does not close it. */
void fxt_i_mapped_leave(struct fxt_i_mapped *it);

/* In a forked child: gives up the parent's file, but not the memory. A signal handler that forked in
   the middle of a record goes on writing there. */
void fxt_i_mapped_in_child(struct fxt_i_mapped *it);

#endif
