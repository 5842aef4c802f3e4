/* A file as a timeline. */
#ifndef FXT_TOOLS_FXT_TABLES_READ_H
#define FXT_TOOLS_FXT_TABLES_READ_H

#include "src/cli/stream.h"
#include "src/cli/tool_options.h"
#include "src/timeline/importer.h"

/* Gives all records of a stream to an importer. Returns the number of bytes. */
uint64_t timeline_records(struct importer *importer, struct stream *stream);

/* Reads a whole file. EXIT_FINDINGS: a part of it is malformed or exceeds a limit, and the timeline
   holds the rest. EXIT_IO and EXIT_FINDINGS with *timeline NULL: there is none. A message was printed
   in each of these cases. The caller frees *timeline by timeline_end. */
enum exit_code timeline_read(struct timeline **timeline, const char *path,
                             const struct options *options);
void timeline_end(struct timeline *timeline);

#endif
