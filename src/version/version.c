/* The version of the library. No state. */
#include <fxt/version.h>

const char *fxt_version(void)
{
    return FXT_VERSION;
}
