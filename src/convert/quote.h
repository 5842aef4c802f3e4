/* Bytes and numbers as the text form and the assembler language show them. */
#ifndef FXT_CONVERT_QUOTE_H
#define FXT_CONVERT_QUOTE_H

#include <fxt/record.h>

#include "src/convert/out.h"

/* The bytes between double quotes. Printable UTF-8 stays as it is; \" \\ \n \t \r and \xNN for all
   other bytes, so that nothing is lost and no trace can drive a terminal. */
void fxt_convert_quote(struct fxt_out *out, const uint8_t *bytes, uint64_t size);

/* Two lower case digits a byte, nothing around them. */
void fxt_convert_hex_bytes(struct fxt_out *out, const uint8_t *bytes, uint64_t size);

/* 0x and `digits` lower case digits, leading zeros included; digits: 1..16. */
void fxt_convert_hex_padded(struct fxt_out *out, uint64_t number, unsigned digits);

#endif
