/* In the place of the manager's own, since this folder is searched first: buffers of few pages, which
   it copies in many steps. */
#ifndef FXT_MANAGER_SIZE_H
#define FXT_MANAGER_SIZE_H

#include <stdint.h>

#define FXT_I_MIB UINT64_C(4096)
#define FXT_I_PIECE UINT64_C(2048)
#define FXT_I_AHEAD UINT64_C(4096)
#define FXT_I_AT_ONCE 2
#define FXT_I_DEFINITIONS UINT64_C(256)

#endif
