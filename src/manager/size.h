/* Sizes of the manager, which fuzz/joint makes smaller. */
#ifndef FXT_MANAGER_SIZE_H
#define FXT_MANAGER_SIZE_H

#include <stdint.h>

#define FXT_I_MIB (UINT64_C(1) << 20)   /* of a buffer's size */
#define FXT_I_PIECE (UINT64_C(1) << 18) /* bytes copied at a time; a multiple of every chunk size */
#define FXT_I_AHEAD (UINT64_C(8) << 20) /* bytes copied before the first of them is examined */
#define FXT_I_AT_ONCE 32                /* pieces copied in one step */
#define FXT_I_DEFINITIONS (UINT64_C(1) << 18) /* bytes of the durable part copied in one step */

#endif
