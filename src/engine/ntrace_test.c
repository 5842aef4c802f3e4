/* Every macro with NTRACE: a test looks at what is left in the object. */
#define NTRACE
#include "src/engine/everything_test.h"

int trace_nothing(void);
int trace_nothing(void)
{
    trace_everything();
    return evaluated;
}
