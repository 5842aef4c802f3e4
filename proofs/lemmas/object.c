/* Objects, which carry arguments: there and back. */
#include "proofs/lemmas/args.c"

/* Positions by their names in the logic. */
/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_kernel_object_args(header) && 2 <= \result <= 4099;
  @*/
static inline uint32_t kernel_object_args(uint64_t header)
{
    return (uint32_t)(2 + string_words(fxt_kernel_object_header_name(header)));
}

/* The end of the arguments, by its name in the logic. */
/*@ requires \valid_read(record) && position == l_kernel_object_args(record->header);
  @ requires count == l_kernel_object_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_kernel_object_end(record) ==
  @     l_args_end(record->bytes, record->words, position, count);
  @*/
static inline void kernel_object_args_end(const struct fxt_record *record, uint32_t position,
                                          uint32_t count)
{
    (void)record;
    (void)position;
    (void)count;
}

/* The header of a kernel object that was written says its fields, and where they are. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_kernel_object(in, args, count);
  @ requires encoded_kernel_object{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_kernel_object_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_kernel_object(record);
  @ ensures fields: l_kernel_object_header_object_type(record->header) == in->object_type &&
  @     l_kernel_object_header_name(record->header) == l_string_wire(in->name.ref) &&
  @     l_kernel_object_header_arg_count(record->header) == count;
  @ ensures args: l_kernel_object_args(record->header) == 2 + l_string_words(in->name.ref);
  @ ensures words: 2 <= l_kernel_object_args(record->header) <= record->words &&
  @     2 <= record->words;
  @*/
static inline void kernel_object_header(const struct fxt_record *record,
                                        const struct fxt_kernel_object *in,
                                        const struct fxt_arg *args, uint32_t count)
{
    uint16_t wire = in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref;
    /*@ assert wire: wire == l_string_wire(in->name.ref); */
    /*@ assert wire_words: l_string_words(wire) == l_string_words(in->name.ref); */
    uint64_t header = fxt_pack_kernel_object_header((uint16_t)record->words,
                                                    (uint8_t)in->object_type, wire, (uint8_t)count);
    args_rise(args, count);
    uint64_t name = 2;
    uint64_t behind = name + string_words(in->name.ref);
    /*@ assert words: 2 <= name <= behind <= record->words; */
    /*@ assert bytes: \valid_read(record->bytes + (0 .. 7)); */
    /*@ assert at: kernel_object_header{Here}(record->bytes, record->words, in->object_type, wire,
      @   count); */
    /*@ assert word: word_at(record->bytes, header); */
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_kernel_object(in, args, count);
  @ requires encoded_kernel_object{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_kernel_object_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_kernel_object(record);
  @ ensures fields: l_kernel_object_header_object_type(record->header) == in->object_type &&
  @     l_kernel_object_header_name(record->header) == l_string_wire(in->name.ref) &&
  @     l_kernel_object_header_arg_count(record->header) == count;
  @ ensures koid: l_word(record->bytes + 8) == in->koid;
  @ ensures args: l_kernel_object_args(record->header) == 2 + l_string_words(in->name.ref);
  @ ensures end: l_kernel_object_end(record) ==
  @     l_kernel_object_args(record->header) + l_args_words(args, count);
  @ ensures all: l_kernel_object_end(record) == record->words;
  @*/
static inline void kernel_object_written(const struct fxt_record *record,
                                         const struct fxt_kernel_object *in,
                                         const struct fxt_arg *args, uint32_t count)
{
    kernel_object_header(record, in, args, count);
    uint32_t position = kernel_object_args(record->header);
    args_rise(args, count);
    /*@ assert args: encoded_args{Here, Here}(record->bytes + 8 * position, args, count); */
    args_end(record->bytes, record->words, position, args, count);
    kernel_object_args_end(record, position, count);
    /*@ assert end: l_kernel_object_end(record) == position + l_args_words(args, count); */
    value_of_bytes(record->bytes + 8, in->koid);
}

/* What a decoder says, part by part, at these words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires says_kernel_object{Here, Here}(record, out);
  @ requires name == 2;
  @ requires behind == l_kernel_object_args(record->header) && end == l_kernel_object_end(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fields: out->object_type == l_kernel_object_header_object_type(record->header) &&
  @     out->name.ref == l_kernel_object_header_name(record->header);
  @ ensures koid: out->koid == l_word(record->bytes + 8);
  @ ensures name: says_string(out->name.bytes, out->name.ref, record->bytes, name,
  @     out->name.ref);
  @ ensures args: out->args.bytes == record->bytes + 8 * behind &&
  @     out->args.words == end - behind &&
  @     out->args.count == l_kernel_object_header_arg_count(record->header);
  @ ensures tail: out->tail.words == record->words - end;
  @*/
static inline void kernel_object_parts(const struct fxt_record *record,
                                       const struct fxt_kernel_object *out, uint32_t name,
                                       uint32_t behind, uint32_t end)
{
    (void)record;
    (void)out;
    (void)name;
    (void)behind;
    (void)end;
}

/* What a decoder says of a kernel object that was written is what was written; its
   arguments stand where they were put. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_kernel_object(in, args, count);
  @ requires encoded_kernel_object{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_kernel_object_record_words(in, args, count));
  @ requires says_kernel_object{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_kernel_object(in, args, count, out);
  @ ensures args: out->args.bytes == record->bytes + 8 * l_kernel_object_args(record->header) &&
  @     l_kernel_object_args(record->header) == 2 + l_string_words(in->name.ref);
  @*/
static inline void kernel_object_read(const struct fxt_record *record,
                                      const struct fxt_kernel_object *in,
                                      const struct fxt_arg *args, uint32_t count,
                                      const struct fxt_kernel_object *out)
{
    kernel_object_written(record, in, args, count);
    uint32_t name = 2;
    kernel_object_parts(record, out, name, kernel_object_args(record->header), record->words);
    /*@ assert name_at: string_at{Here, Here}(record->bytes + 8 * name, in->name.bytes,
      @   in->name.ref); */
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
}

/* What a decoder gives of a canonical kernel object with its arguments can be written,
   and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_kernel_object(record) && says_kernel_object{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, l_kernel_object_args(record->header), d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable: writable_kernel_object(out, d, count);
  @ ensures words: l_kernel_object_record_words(out, d, count) == record->words;
  @ ensures end: record->words == l_kernel_object_args(record->header) + l_args_words(d, count);
  @ ensures header: record->header == 7 + record->words * 16 + out->object_type * 65536 +
  @     l_string_wire(out->name.ref) * 16777216 + count * 1099511627776;
  @*/
static inline void kernel_object_said(const struct fxt_record *record,
                                      const struct fxt_kernel_object *out, const struct fxt_arg *d,
                                      uint32_t count)
{
    uint64_t header = record->header;
    uint32_t position = kernel_object_args(header);
    /*@ assert count: count == l_kernel_object_header_arg_count(header) && count <= 15; */
    kernel_object_args_end(record, position, count);
    args_said(record->bytes, record->words, position, d, count);
    /*@ assert end: record->words == position + l_args_words(d, count); */
    repack_kernel_object_header(header);
    /*@ assert args: position == 2 + l_string_words(out->name.ref); */
}

/* What is canonical, and what was written, at these words. */
/*@ requires \valid_read(record) && canonical_kernel_object(record);
  @ requires name == 2;
  @ requires behind == l_kernel_object_args(record->header);
  @ requires count == l_kernel_object_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: canonical_string(record->bytes + 8 * name,
  @     l_kernel_object_header_name(record->header));
  @ ensures args: canonical_args(record->bytes, behind, count);
  @*/
static inline void kernel_object_canonical(const struct fxt_record *record, uint32_t name,
                                           uint32_t behind, uint32_t count)
{
    (void)record;
    (void)name;
    (void)behind;
    (void)count;
}

/*@ requires \valid_read(out) && encoded_kernel_object{Here, Here}(place, out, d, count);
  @ requires name == 2;
  @ requires behind == 2 + l_string_words(out->name.ref);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures header: kernel_object_header{Here}(place, l_kernel_object_record_words(out, d, count),
  @     out->object_type, l_string_wire(out->name.ref), count);
  @ ensures koid: word_at(place + 8, out->koid);
  @ ensures name: string_at{Here, Here}(place + 8 * name, out->name.bytes, out->name.ref);
  @ ensures args: encoded_args{Here, Here}(place + 8 * behind, d, count);
  @*/
static inline void kernel_object_encoded(const uint8_t *place, const struct fxt_kernel_object *out,
                                         const struct fxt_arg *d, uint32_t count, uint32_t name,
                                         uint32_t behind)
{
    (void)place;
    (void)out;
    (void)d;
    (void)count;
    (void)name;
    (void)behind;
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_kernel_object(record) && says_kernel_object{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, l_kernel_object_args(record->header), d, count);
  @ requires readable(place, 8 * record->words);
  @ requires encoded_kernel_object{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void kernel_object_same(const struct fxt_record *record,
                                      const struct fxt_kernel_object *out, const struct fxt_arg *d,
                                      uint32_t count, const uint8_t *place)
{
    uint32_t name = 2;
    uint32_t behind = kernel_object_args(record->header);
    kernel_object_said(record, out, d, count);
    /*@ assert inside: behind <= record->words; */
    kernel_object_parts(record, out, name, behind, record->words);
    kernel_object_canonical(record, name, behind, count);
    /*@ assert each: says_each{Here}(record->bytes, behind, d, count); */
    /*@ assert name: name == 2; */
    /*@ assert behind: behind == name + l_string_words(out->name.ref); */
    kernel_object_encoded(place, out, d, count, name, behind);
    /*@ assert word: word_at(place, record->header); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->koid);
    same_text(place, record->bytes, UINT64_C(8) * name, name, &out->name, out->name.ref);
    kernel_object_args_end(record, behind, count);
    args_same(record->bytes, record->words, behind, d, count, place);
    /*@ assert args: same_from(place, record->bytes, 8 * behind, 8 * record->words); */
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_process_words(ref) && \result <= 1;
  @*/
static inline uint32_t process_words(uint16_t ref)
{
    return ref == 0 ? 1 : 0;
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_userspace_object_name(header) && 2 <= \result <= 3;
  @*/
static inline uint32_t userspace_object_name(uint64_t header)
{
    return 2 + process_words(fxt_userspace_object_header_process(header));
}

/*@ terminates \true;
  @ assigns \nothing;
  @ ensures \result == l_userspace_object_args(header) && 2 <= \result <= 4099;
  @*/
static inline uint32_t userspace_object_args(uint64_t header)
{
    return (uint32_t)(userspace_object_name(header) +
                      string_words(fxt_userspace_object_header_name(header)));
}

/* The end of the arguments, by its name in the logic. */
/*@ requires \valid_read(record) && position == l_userspace_object_args(record->header);
  @ requires count == l_userspace_object_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures end: l_userspace_object_end(record) ==
  @     l_args_end(record->bytes, record->words, position, count);
  @*/
static inline void userspace_object_args_end(const struct fxt_record *record, uint32_t position,
                                             uint32_t count)
{
    (void)record;
    (void)position;
    (void)count;
}

/* The header of a userspace object that was written says its fields, and where they are. */
/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_userspace_object(in, args, count);
  @ requires encoded_userspace_object{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_userspace_object_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures is: is_userspace_object(record);
  @ ensures fields: l_userspace_object_header_process(record->header) == in->process.ref &&
  @     l_userspace_object_header_name(record->header) == l_string_wire(in->name.ref) &&
  @     l_userspace_object_header_arg_count(record->header) == count;
  @ ensures args: l_userspace_object_args(record->header) == 2 + l_process_words(in->process.ref) +
  @     l_string_words(in->name.ref);
  @ ensures words: 2 <= l_userspace_object_args(record->header) <= record->words &&
  @     2 + l_process_words(in->process.ref) <= record->words;
  @*/
static inline void userspace_object_header(const struct fxt_record *record,
                                           const struct fxt_userspace_object *in,
                                           const struct fxt_arg *args, uint32_t count)
{
    uint16_t wire = in->name.ref == FXT_STRING_INLINE ? 0 : in->name.ref;
    /*@ assert wire: wire == l_string_wire(in->name.ref); */
    /*@ assert wire_words: l_string_words(wire) == l_string_words(in->name.ref); */
    uint64_t header = fxt_pack_userspace_object_header(
        (uint16_t)record->words, (uint8_t)in->process.ref, wire, (uint8_t)count);
    args_rise(args, count);
    uint64_t name = 2 + process_words(in->process.ref);
    uint64_t behind = name + string_words(in->name.ref);
    /*@ assert words: 2 <= name <= behind <= record->words; */
    /*@ assert bytes: \valid_read(record->bytes + (0 .. 7)); */
    /*@ assert at: userspace_object_header{Here}(record->bytes, record->words, in->process.ref,
      @   wire, count); */
    /*@ assert word: word_at(record->bytes, header); */
    value_of_bytes(record->bytes, header);
    /*@ assert header: record->header == header; */
}

/*@ requires \valid_read(record) && \valid_read(in);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_userspace_object(in, args, count);
  @ requires encoded_userspace_object{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_userspace_object_record_words(in, args, count));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures formed: formed_userspace_object(record);
  @ ensures fields: l_userspace_object_header_process(record->header) == in->process.ref &&
  @     l_userspace_object_header_name(record->header) == l_string_wire(in->name.ref) &&
  @     l_userspace_object_header_arg_count(record->header) == count;
  @ ensures pointer: l_word(record->bytes + 8) == in->pointer;
  @ ensures process: in->process.ref == 0 ==>
  @     l_koid(record->bytes, 2, in->process.ref) == in->process.process;
  @ ensures args: l_userspace_object_args(record->header) == 2 + l_process_words(in->process.ref) +
  @     l_string_words(in->name.ref);
  @ ensures end: l_userspace_object_end(record) ==
  @     l_userspace_object_args(record->header) + l_args_words(args, count);
  @ ensures all: l_userspace_object_end(record) == record->words;
  @*/
static inline void userspace_object_written(const struct fxt_record *record,
                                            const struct fxt_userspace_object *in,
                                            const struct fxt_arg *args, uint32_t count)
{
    userspace_object_header(record, in, args, count);
    uint32_t position = userspace_object_args(record->header);
    args_rise(args, count);
    /*@ assert args: encoded_args{Here, Here}(record->bytes + 8 * position, args, count); */
    args_end(record->bytes, record->words, position, args, count);
    userspace_object_args_end(record, position, count);
    /*@ assert end: l_userspace_object_end(record) == position + l_args_words(args, count); */
    value_of_bytes(record->bytes + 8, in->pointer);
    if (in->process.ref == 0)
        value_of_bytes(record->bytes + 16, in->process.process);
}

/* What a decoder says, part by part, at these words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires says_userspace_object{Here, Here}(record, out);
  @ requires name == l_userspace_object_name(record->header);
  @ requires behind == l_userspace_object_args(record->header);
  @ requires end == l_userspace_object_end(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures fields: out->process.ref == l_userspace_object_header_process(record->header) &&
  @     out->name.ref == l_userspace_object_header_name(record->header);
  @ ensures pointer: out->pointer == l_word(record->bytes + 8);
  @ ensures process: out->process.process == l_koid(record->bytes, 2, out->process.ref);
  @ ensures name: says_string(out->name.bytes, out->name.ref, record->bytes, name,
  @     out->name.ref);
  @ ensures args: out->args.bytes == record->bytes + 8 * behind &&
  @     out->args.words == end - behind &&
  @     out->args.count == l_userspace_object_header_arg_count(record->header);
  @ ensures tail: out->tail.words == record->words - end;
  @*/
static inline void userspace_object_parts(const struct fxt_record *record,
                                          const struct fxt_userspace_object *out, uint32_t name,
                                          uint32_t behind, uint32_t end)
{
    (void)record;
    (void)out;
    (void)name;
    (void)behind;
    (void)end;
}

/* What was written, part by part, at these words. */
/*@ requires \valid_read(out) && encoded_userspace_object{Here, Here}(place, out, d, count);
  @ requires name == 2 + l_process_words(out->process.ref);
  @ requires behind == 2 + l_process_words(out->process.ref) + l_string_words(out->name.ref);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures header: userspace_object_header{Here}(place,
  @     l_userspace_object_record_words(out, d, count), out->process.ref,
  @     l_string_wire(out->name.ref), count);
  @ ensures pointer: word_at(place + 8, out->pointer);
  @ ensures process: out->process.ref == 0 ==> word_at(place + 16, out->process.process);
  @ ensures name: string_at{Here, Here}(place + 8 * name, out->name.bytes, out->name.ref);
  @ ensures args: encoded_args{Here, Here}(place + 8 * behind, d, count);
  @*/
static inline void userspace_object_encoded(const uint8_t *place,
                                            const struct fxt_userspace_object *out,
                                            const struct fxt_arg *d, uint32_t count, uint32_t name,
                                            uint32_t behind)
{
    (void)place;
    (void)out;
    (void)d;
    (void)count;
    (void)name;
    (void)behind;
}

/* What a decoder says of a userspace object that was written is what was written; its
   arguments stand where they were put. */
/*@ requires \valid_read(record) && \valid_read(in) && \valid_read(out);
  @ requires count > 0 ==> \valid_read(args + (0 .. count - 1));
  @ requires writable_userspace_object(in, args, count);
  @ requires encoded_userspace_object{Here, Here}(record->bytes, in, args, count);
  @ requires framed(record, l_userspace_object_record_words(in, args, count));
  @ requires says_userspace_object{Here, Here}(record, out);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_userspace_object(in, args, count, out);
  @ ensures args: out->args.bytes == record->bytes + 8 * l_userspace_object_args(record->header) &&
  @     l_userspace_object_args(record->header) == 2 + l_process_words(in->process.ref) +
  @     l_string_words(in->name.ref);
  @*/
static inline void userspace_object_read(const struct fxt_record *record,
                                         const struct fxt_userspace_object *in,
                                         const struct fxt_arg *args, uint32_t count,
                                         const struct fxt_userspace_object *out)
{
    userspace_object_written(record, in, args, count);
    uint32_t name = 2 + process_words(in->process.ref);
    uint32_t behind = userspace_object_args(record->header);
    userspace_object_parts(record, out, name, behind, record->words);
    userspace_object_encoded(record->bytes, in, args, count, name, behind);
    /*@ assert name: same_string(in->name.bytes, in->name.ref, out->name.bytes, out->name.ref); */
}

/* What a decoder gives of a canonical userspace object with its arguments can be written,
   and takes as many words. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_userspace_object(record) && says_userspace_object{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, l_userspace_object_args(record->header), d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures writable: writable_userspace_object(out, d, count);
  @ ensures words: l_userspace_object_record_words(out, d, count) == record->words;
  @ ensures end: record->words == l_userspace_object_args(record->header) + l_args_words(d, count);
  @ ensures header: record->header == 6 + record->words * 16 + out->process.ref * 65536 +
  @     l_string_wire(out->name.ref) * 16777216 + count * 1099511627776;
  @*/
static inline void userspace_object_said(const struct fxt_record *record,
                                         const struct fxt_userspace_object *out,
                                         const struct fxt_arg *d, uint32_t count)
{
    uint64_t header = record->header;
    uint32_t position = userspace_object_args(header);
    /*@ assert count: count == l_userspace_object_header_arg_count(header) && count <= 15; */
    userspace_object_args_end(record, position, count);
    args_said(record->bytes, record->words, position, d, count);
    /*@ assert end: record->words == position + l_args_words(d, count); */
    repack_userspace_object_header(header);
    /*@ assert args: position == 2 + l_process_words(out->process.ref) +
      @   l_string_words(out->name.ref); */
}

/* What is canonical, at these words. */
/*@ requires \valid_read(record) && canonical_userspace_object(record);
  @ requires name == l_userspace_object_name(record->header);
  @ requires behind == l_userspace_object_args(record->header);
  @ requires count == l_userspace_object_header_arg_count(record->header);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: canonical_string(record->bytes + 8 * name,
  @     l_userspace_object_header_name(record->header));
  @ ensures args: canonical_args(record->bytes, behind, count);
  @*/
static inline void userspace_object_canonical(const struct fxt_record *record, uint32_t name,
                                              uint32_t behind, uint32_t count)
{
    (void)record;
    (void)name;
    (void)behind;
    (void)count;
}

/* What was written of it is what the record was. */
/*@ requires \valid_read(record) && \valid_read(out);
  @ requires framed(record, record->words) && record->words == l_record_words(record->header);
  @ requires canonical_userspace_object(record) && says_userspace_object{Here, Here}(record, out);
  @ requires count == out->args.count;
  @ requires count > 0 ==> \valid_read(d + (0 .. count - 1)) && d != \null;
  @ requires says_each{Here}(record->bytes, l_userspace_object_args(record->header), d, count);
  @ requires readable(place, 8 * record->words);
  @ requires encoded_userspace_object{Here, Here}(place, out, d, count);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures same: same_from(place, record->bytes, 0, 8 * record->words);
  @*/
static inline void userspace_object_same(const struct fxt_record *record,
                                         const struct fxt_userspace_object *out,
                                         const struct fxt_arg *d, uint32_t count,
                                         const uint8_t *place)
{
    uint32_t name = userspace_object_name(record->header);
    uint32_t behind = userspace_object_args(record->header);
    userspace_object_said(record, out, d, count);
    /*@ assert inside: behind <= record->words; */
    userspace_object_parts(record, out, name, behind, record->words);
    userspace_object_canonical(record, name, behind, count);
    /*@ assert each: says_each{Here}(record->bytes, behind, d, count); */
    /*@ assert name: name == 2 + l_process_words(out->process.ref); */
    /*@ assert behind: behind == name + l_string_words(out->name.ref); */
    userspace_object_encoded(place, out, d, count, name, behind);
    /*@ assert word: word_at(place, record->header); */
    same_word(place, record->bytes, 0, 0, record->header);
    same_word(place, record->bytes, 8, 8, out->pointer);
    if (out->process.ref == 0)
        same_word(place, record->bytes, 16, 16, out->process.process);
    same_text(place, record->bytes, UINT64_C(8) * name, name, &out->name, out->name.ref);
    userspace_object_args_end(record, behind, count);
    args_same(record->bytes, record->words, behind, d, count, place);
    /*@ assert args: same_from(place, record->bytes, 8 * behind, 8 * record->words); */
}
