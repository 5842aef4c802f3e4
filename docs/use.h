/* What the example of docs/library.md calls and does not show. */
#include <fxt/record.h>

void use(const struct fxt_event *event, const struct fxt_arg *args, unsigned count);
bool each_event(const uint8_t *bytes, uint64_t size);
