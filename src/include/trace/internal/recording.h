/* The layout of a file into which FXT_TRACE_FILE records, while it is recorded and after a crash:

     the buffer        spec/system.md, section 1; its size is in its header
     the page          TRACE_I_RECORDING_BYTES, of little-endian words
     the archive       what was saved of the buffer, as a trace

   The page has two slots. A slot says how long the archive is, and what of the buffer it has. The
   recorder fills the slot that is not current, then makes it current by the store of one word. So the
   archive and the rest of the buffer have each record once, at whatever instruction the program dies. */
#ifndef TRACE_INTERNAL_RECORDING_H
#define TRACE_INTERNAL_RECORDING_H

#include <stdint.h>

#define TRACE_I_RECORDING_MAGIC UINT64_C(0x316365722d747866) /* "fxt-rec1" */
#define TRACE_I_RECORDING_BYTES 4096u

/* Offsets in the page, in bytes. */
#define TRACE_I_RECORDING_CURRENT 8u /* the current slot: 0 or 1 */
#define TRACE_I_RECORDING_SLOT(n) (64u * (1u + (n)))
#define TRACE_I_RECORDING_ARCHIVE 0u /* in a slot: bytes of the archive */
#define TRACE_I_RECORDING_DURABLE 8u /* bytes of the durable part that are in the archive */
#define TRACE_I_RECORDING_LAP 16u    /* the halves of lower wrapped counts are in the archive */

#endif
