/* The trace in the image of a buffer: one that a program left behind, or a file that is being recorded
   (<trace/internal/recording.h>). */
#ifndef FXT_CLI_IMAGE_H
#define FXT_CLI_IMAGE_H

#include "src/cli/input.h"
#include "src/cli/tool_options.h"

/* How many bytes of the input image_is_recording and image_take need; `size` are there. */
uint64_t image_bytes(const uint8_t *bytes, size_t size);

bool image_is_recording(const uint8_t *bytes, size_t size);

/* Replaces the input, of which `bytes` were read, by a trace in a temporary file. Of an image that is
   no recording, `bytes` are all. Otherwise a message was printed. */
enum exit_code image_take(struct input *input, const uint8_t *bytes, size_t size);

#endif
