/* The rules of object records, userspace and kernel. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

/*@ requires walk_ok(walk)
  @          && in_record(walk->record, name.bytes, 8 * l_string_words(name.ref));
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_kernel_name(struct fxt_i_walk *walk, struct fxt_string_ref name)
{
    bool any = walk->checker == NULL || walk->checker->edition >= FXT_EDITION_CURRENT;
    if (name.ref >= FXT_STRING_INLINE)
        fxt_i_walk_inline_string(walk, name, walk->record->offset, any);
    else
        fxt_i_walk_string(walk, name, walk->record->offset);
}

FXT_I_DECODED(userspace_object);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.name.bytes,
  @                        8 * l_string_words(\result.in.name.ref));
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.in.args.bytes, \result.in.args.offset,
  @                          \result.in.args.words, \result.in.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_userspace_object decode_userspace_object(const struct fxt_record *record)
{
    struct decoded_userspace_object it;

    it.status = fxt_read_userspace_object(record, &it.in, &it.error);
    /*@ assert says: it.status == FXT_OK ==>
      @   says_userspace_object_upto{Pre,Here}(record, &it.in,
      @                                         l_userspace_object_end{Pre}(record)); */
    /*@ assert from: it.status == FXT_OK ==>
      @   it.in.args.bytes == \at(record->bytes, Pre)
      @                    + 8 * l_userspace_object_args(FXT_I_HEADER); */
    /*@ assert args_at: 0 <= l_userspace_object_args(FXT_I_HEADER); */
    /*@ assert end: it.status == FXT_OK ==>
      @   l_userspace_object_args(FXT_I_HEADER) + it.in.args.words
      @   == l_userspace_object_end{Pre}(record); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_userspace_object_end{Pre}(record) + it.in.tail.words == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert place: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert there: it.status == FXT_OK ==>
      @   readable{Pre}(it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert count: it.status == FXT_OK ==> it.in.args.count <= 15
      @   && it.in.args.offset + 8 * it.in.args.words <= 18446744073709551615; */
    /*@ assert args: it.status == FXT_OK ==>
      @   args_inside{Pre}(record, it.in.args.bytes, it.in.args.offset, it.in.args.words,
      @                    it.in.args.count); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    /*@ assert named: it.status == FXT_OK && it.in.name.ref > 32768 ==>
      @   it.in.name.bytes == \at(record->bytes, Pre) + 8 * l_userspace_object_name(FXT_I_HEADER); */
    /*@ assert fits: it.status == FXT_OK ==> l_userspace_object_name(FXT_I_HEADER) +
      @   l_string_words(it.in.name.ref) <= \at(record->words, Pre); */
    /*@ assert name: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.name.bytes, 8 * l_string_words(it.in.name.ref)); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_userspace_object(struct fxt_i_walk *walk)
{
    struct decoded_userspace_object it = decode_userspace_object(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        fxt_i_walk_malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_userspace_object_header_reserved(header), offset);
    fxt_i_walk_thread(walk, it.in.process.ref, offset);
    fxt_i_walk_string(walk, it.in.name, offset);
    fxt_i_walk_args(walk, it.in.args);
    fxt_i_walk_tail(walk, it.in.tail);
}

FXT_I_DECODED(kernel_object);

/*@ requires \valid_read(record) && fxt_record_ok(record);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.name.bytes,
  @                        8 * l_string_words(\result.in.name.ref));
  @ ensures args: \result.status == FXT_OK ==>
  @         args_inside{Old}(record, \result.in.args.bytes, \result.in.args.offset,
  @                          \result.in.args.words, \result.in.args.count);
  @ ensures tail: \result.status == FXT_OK ==>
  @         in_record{Old}(record, \result.in.tail.bytes, 8 * \result.in.tail.words);
  @*/
static struct decoded_kernel_object decode_kernel_object(const struct fxt_record *record)
{
    struct decoded_kernel_object it;

    it.status = fxt_read_kernel_object(record, &it.in, &it.error);
    /*@ assert says: it.status == FXT_OK ==>
      @   says_kernel_object_upto{Pre,Here}(record, &it.in, l_kernel_object_end{Pre}(record)); */
    /*@ assert from: it.status == FXT_OK ==>
      @   it.in.args.bytes == \at(record->bytes, Pre)
      @                    + 8 * l_kernel_object_args(FXT_I_HEADER); */
    /*@ assert args_at: 0 <= l_kernel_object_args(FXT_I_HEADER); */
    /*@ assert end: it.status == FXT_OK ==>
      @   l_kernel_object_args(FXT_I_HEADER) + it.in.args.words
      @   == l_kernel_object_end{Pre}(record); */
    /*@ assert left: it.status == FXT_OK ==>
      @   l_kernel_object_end{Pre}(record) + it.in.tail.words == \at(record->words, Pre); */
    /*@ assert behind: it.status == FXT_OK && it.in.tail.words > 0 ==>
      @   it.in.tail.bytes == \at(record->bytes, Pre)
      @                    + 8 * (\at(record->words, Pre) - it.in.tail.words); */
    /*@ assert place: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert there: it.status == FXT_OK ==>
      @   readable{Pre}(it.in.args.bytes, 8 * it.in.args.words); */
    /*@ assert count: it.status == FXT_OK ==> it.in.args.count <= 15
      @   && it.in.args.offset + 8 * it.in.args.words <= 18446744073709551615; */
    /*@ assert args: it.status == FXT_OK ==>
      @   args_inside{Pre}(record, it.in.args.bytes, it.in.args.offset, it.in.args.words,
      @                    it.in.args.count); */
    /*@ assert tail: it.status == FXT_OK ==>
      @   in_record{Pre}(record, it.in.tail.bytes, 8 * it.in.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_kernel_object(struct fxt_i_walk *walk)
{
    struct decoded_kernel_object it = decode_kernel_object(walk->record);
    uint64_t header = walk->record->header;
    uint64_t offset = walk->record->offset;

    if (it.status != FXT_OK) {
        fxt_i_walk_malformed(walk, it.error);
        return;
    }
    fxt_i_walk_reserved(walk, fxt_kernel_object_header_reserved(header), offset);
    walk_kernel_name(walk, it.in.name);
    fxt_i_walk_args(walk, it.in.args);
    fxt_i_walk_tail(walk, it.in.tail);
}

void fxt_i_walk_object(struct fxt_i_walk *walk)
{
    if (walk->record->type == FXT_RECORD_USERSPACE_OBJECT)
        walk_userspace_object(walk);
    else
        walk_kernel_object(walk);
}
