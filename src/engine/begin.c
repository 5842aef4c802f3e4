/* For programs that link the engine without the recorder, as tests do. In a library that has both, the
   recorder's function comes first. */
#include "src/engine/begin.h"

__attribute__((weak)) void fxt_i_record_from_start(void)
{
}
