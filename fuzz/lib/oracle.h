/* What must hold of the library for any input. Each function checks one family of laws and ends the
   program at the first that is broken, with a line that says which: to a fuzzer, a crash. */
#ifndef FXT_FUZZ_ORACLE_H
#define FXT_FUZZ_ORACLE_H

#include <stddef.h>
#include <stdint.h>

_Noreturn void fuzz_broken(const char *file, int line, const char *law);

#define FUZZ_CHECK(law) ((law) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #law))

/* Inputs beyond this are not looked at: no law needs longer ones, and fuzzers slow down. */
#define FUZZ_INPUT_MAX 65536u

/* A number from the first bytes of the input, so that the input itself selects sizes and editions
   and a crash is reproduced by its file alone. */
uint64_t fuzz_control(const uint8_t *bytes, size_t size);

/* The next number of a sequence; never 0 for a state that is not 0. */
uint64_t fuzz_random(uint64_t *state);

/* A copy of the input that ends where its memory ends and begins at any alignment; free with
   fuzz_release. */
struct fuzz_copy {
    uint8_t *bytes;
    uint8_t *memory;
    size_t size;
};

struct fuzz_copy fuzz_copy(const uint8_t *bytes, size_t size, unsigned misalignment);
void fuzz_release(struct fuzz_copy *copy);

/* How many descriptors this process has. */
int fuzz_descriptors(void);

/* Memory, or the end of the program. */
void *fuzz_need(size_t count, size_t size);

/* read_oracle.c: framing as section 4.4 of the format says it, decoders, arguments. */
void fuzz_oracle_read(const uint8_t *bytes, size_t size);

/* chunk_oracle.c: reading in pieces gives what reading at once gives. */
void fuzz_oracle_chunks(const uint8_t *bytes, size_t size);

/* events_oracle.c: the loop over events gives what the reader gives. */
void fuzz_oracle_events(const uint8_t *bytes, size_t size);

/* roundtrip_oracle.c: reader, writer and canonical form agree on each record; writing is all or
   nothing. */
void fuzz_oracle_roundtrip(const uint8_t *bytes, size_t size);

/* generate_oracle.c: records made from the input by an encoder of the fuzzer's own are decoded to
   the fields that they were made from, and written to the same bytes. */
void fuzz_oracle_generated(const uint8_t *bytes, size_t size);

/* tables_oracle.c: strings, threads, rates and objects are those of a model, or missing. */
void fuzz_oracle_tables(const uint8_t *bytes, size_t size);

/* check_oracle.c: findings. */
void fuzz_oracle_check(const uint8_t *bytes, size_t size);

/* convert_oracle.c: assembling what was disassembled; JSON is valid, and its lines say what was
   decoded. */
void fuzz_oracle_asm(const uint8_t *bytes, size_t size);
void fuzz_oracle_json(const uint8_t *bytes, size_t size);

/* number_oracle.c: numbers as the converters print them are those of the C library. */
void fuzz_oracle_numbers(const uint8_t *bytes, size_t size);

/* asm_oracle.c: any text is assembled or refused with its place, and what is assembled is disassembled
   to text that adds the same bytes. */
void fuzz_oracle_asm_text(const uint8_t *bytes, size_t size);

/* intern_oracle.c: strings and threads that are interned are what the tables of a reader resolve. */
void fuzz_oracle_intern(const uint8_t *bytes, size_t size);

/* format_oracle.c: what is written again is canonical, and stays as it is the next time. */
void fuzz_oracle_format(const uint8_t *bytes, size_t size);

/* packet_oracle.c: packets are read or refused, and what is read is written to the same bytes. As
   they are; with zeros behind them; and packets made from the input, by the writer and without it. */
void fuzz_oracle_packets(const uint8_t *bytes, size_t size);
void fuzz_oracle_padded_packets(const uint8_t *bytes, size_t size);
void fuzz_oracle_written_packet(const uint8_t *bytes, size_t size);
void fuzz_oracle_categories(const uint8_t *bytes, size_t size);

#endif
