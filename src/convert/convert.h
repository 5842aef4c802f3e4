/* Traces as text and back: one line a record for people (text), canonical JSON Lines (jsonl), events
   with their references resolved (events), and the assembler language of records (disasm and asm,
   spec/asm.md).

   The printers write to a struct fxt_out, allocate nothing and never fail by themselves; look
   at out->failed between records. The caller reads the trace, and keeps the tables:

     while (…) switch (status = fxt_reader_next(&reader, &record, &error)) {
     case FXT_OK:
         fxt_tables_apply(&tables, &record, &ignored);    first, so that a record sees itself
         fxt_convert_text_record(&out, &tables, &record); also for records that do not decode
         break;
     case FXT_ZERO_WORD:                                  reading goes on
     case FXT_ZERO_SIZE: case FXT_TRUNCATED: case FXT_BYTE_ORDER:
         fxt_convert_text_error(&out, &error);
     }
     fxt_out_flush(&out);

   A record that the caller could not keep in memory (fxt_reader_pass) is an error with status
   FXT_FULL and rule FXT_RULE_LIM_02. Each call prints whole lines, ended by '\n'. */
#ifndef FXT_CONVERT_CONVERT_H
#define FXT_CONVERT_CONVERT_H

#include <fxt/tables.h>

#include "src/convert/out.h"

/* Text for people. tables: NULL when nothing is to be resolved. */
void fxt_convert_text_record(struct fxt_out *out, const struct fxt_tables *tables,
                             const struct fxt_record *record);
void fxt_convert_text_error(struct fxt_out *out, const struct fxt_error *error);

/* Canonical JSON Lines: conformance/schema/dump.md says every byte. tables as above. */
void fxt_convert_jsonl_record(struct fxt_out *out, const struct fxt_tables *tables,
                              const struct fxt_record *record);
void fxt_convert_jsonl_error(struct fxt_out *out, const struct fxt_error *error);

/* Events as a consumer sees them, JSON Lines: one object for an event, log, blob, object, switch,
   wakeup or profiler record, and nothing for any other record or one that does not decode. Refs are
   resolved, times are given in ticks and in nanoseconds. tables: not NULL. */
void fxt_convert_events_record(struct fxt_out *out, const struct fxt_tables *tables,
                               const struct fxt_record *record);

/* The disassembler: assembling its lines gives the very bytes of the trace, valid or not. It
   resolves nothing and needs no tables. In this order, for the whole trace:

     FXT_OK         fxt_convert_disasm_record
     FXT_ZERO_WORD  fxt_convert_disasm_error (prints that word)
     a fatal error  fxt_convert_disasm_error (prints a comment), then fxt_convert_disasm_rest with
                    all bytes from the reader's cursor to the end of the trace

   A record that was passed over cannot be disassembled. Give its bytes, and any long rest, in
   pieces that are multiples of 8 bytes, all but the last: the first to fxt_convert_disasm_rest, the
   others to fxt_convert_disasm_more. */
void fxt_convert_disasm_record(struct fxt_out *out, const struct fxt_record *record);
void fxt_convert_disasm_error(struct fxt_out *out, const struct fxt_error *error);
void fxt_convert_disasm_rest(struct fxt_out *out, const uint8_t *bytes, uint64_t size);
void fxt_convert_disasm_more(struct fxt_out *out, const uint8_t *bytes, uint64_t size);

/* The assembler. `bytes` are the trace so far, assembler->size of them. */
struct fxt_assembler {
    uint8_t *bytes;
    uint64_t capacity;
    uint64_t size;
    uint8_t *scratch; /* for the strings of one line */
    uint64_t scratch_size;
    uint64_t line;       /* lines given so far; after an error, the number of that line (from 1) */
    uint64_t column;     /* after an error: where in that line, in bytes from 1 */
    const char *message; /* after an error: what is wrong, a static string; else "" */
};

/* scratch_size: as many bytes as the longest line, and 2048 more. */
void fxt_asm_init(struct fxt_assembler *assembler, uint8_t *bytes, uint64_t capacity,
                  uint8_t *scratch, uint64_t scratch_size);

/* Assembles one line, given without its line end ('\r' before it may stay). FXT_OK; FXT_INVALID for
   a line that is not in the language or that the writer refuses; FXT_FULL when `bytes` or `scratch`
   are too small. After an error nothing was added, and the next line may be given. */
enum fxt_status fxt_asm_line(struct fxt_assembler *assembler, const char *line, size_t length);

#endif
