/* In the place of the engine's own, since this folder is searched first: each access is a step of
   the explorer. */
#define FXT_HOT_ASSERTIONS
#include "proofs/interleave/atomic.h"
