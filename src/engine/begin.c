/* For programs that link the engine without the recorder, as tests do. The installed libraries do not have
   this file. */
#include "src/engine/begin.h"

__attribute__((weak)) void fxt_i_record_from_start(void)
{
}
