/* The version of the library. No state. */
#include <fxt/version.h>

const char *fxt_version(void)
{
    static const char version[] = FXT_VERSION;
    return version;
}
