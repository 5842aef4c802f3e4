/* The rules of arguments: types, reserved bits, padding, names. No state. */
#include "src/check/walk.h"
#include "src/wire/layout.h"

/*@ terminates \true; assigns \nothing; @*/
static uint64_t reserved_of(uint16_t type, uint64_t header)
{
    switch (type) {
    case FXT_ARG_INT32:
    case FXT_ARG_UINT32:
    case FXT_ARG_BLOB:
        return 0;
    case FXT_ARG_STRING:
        return fxt_arg_string_header_reserved(header);
    case FXT_ARG_BOOL:
        return fxt_arg_bool_header_reserved(header);
    default:
        return fxt_arg_plain_header_reserved(header);
    }
}

/*@ requires a.size == b.size;
  @ requires readable(a.bytes, a.size) && readable(b.bytes, b.size);
  @ terminates \true;
  @ assigns \nothing;
  @*/
static bool same_bytes(struct fxt_bytes a, struct fxt_bytes b)
{
    uint64_t at = 0;

    /*@ loop invariant at <= a.size;
      @ loop assigns at;
      @ loop variant a.size - at;
      @*/
    for (; a.size - at >= 8; at += 8)
        if (fxt_load_word(a.bytes + at) != fxt_load_word(b.bytes + at))
            return false;
    /*@ loop invariant at <= a.size;
      @ loop assigns at;
      @ loop variant a.size - at;
      @*/
    for (; at < a.size; at++)
        if (a.bytes[at] != b.bytes[at])
            return false;
    return true;
}

/* The size of a name whose ref is not registered, of which nothing is known. */
#define UNKNOWN UINT64_MAX

#define NO_DIGEST UINT32_MAX

struct name {
    struct fxt_bytes text;
    uint32_t digest; /* of a registered text: different digests, different texts */
};

/*@ // A name that is known, or nothing but that it is not.
  @ predicate name_ok(uint8_t *bytes, integer size) =
  @   size == UNKNOWN || readable(bytes, size);
  @*/

/*@ requires walk_ok(walk) && walk->checker != \null;
  @ requires readable(ref.bytes, l_inline_length(ref.ref));
  @ terminates \true;
  @ assigns \nothing;
  @ ensures name_ok(\result.text.bytes, \result.text.size);
  @*/
static struct name name_of(const struct fxt_i_walk *walk, struct fxt_string_ref ref)
{
    const struct fxt_tables *tables = &walk->checker->tables;
    struct name name = {{NULL, 0}, NO_DIGEST};
    bool indexed = ref.ref != 0 && ref.ref < FXT_STRING_INLINE;

    if ((indexed && walk->checker->lost) || !fxt_i_string(tables, &name.text, ref))
        name.text.size = UNKNOWN;
    else if (indexed)
        name.digest = fxt_i_provider(tables)->strings[ref.ref].digest;
    return name;
}

/* Two names of the same size. Text in the record itself is compared with what stands in a record
   of 15 arguments at most; registered text is of any size however short the record, and so many
   bytes are compared of it and no more as `may_compare` says. */
/*@ requires \valid(checker) && \valid_read(a) && \valid_read(b);
  @ requires a->text.size == b->text.size;
  @ requires readable(a->text.bytes, a->text.size) && readable(b->text.bytes, b->text.size);
  @ requires \separated(checker, a) && \separated(checker, b);
  @ terminates \true;
  @ assigns checker->may_compare;
  @*/
static bool same_text(struct fxt_checker *checker, const struct name *a, const struct name *b)
{
    if (a->text.bytes == b->text.bytes)
        return true;
    if (a->digest != NO_DIGEST && b->digest != NO_DIGEST) {
        if (a->digest != b->digest || checker->may_compare < a->text.size)
            return false;
        checker->may_compare -= a->text.size;
    }
    return same_bytes(a->text, b->text);
}

/* ARG-06, for names that are known: the names before `count` against names[count]. */
/*@ requires walk_ok(walk) && walk->checker != \null;
  @ requires count < 15 && \valid_read(names + (0 .. count));
  @ requires \separated(walk, names + (0 .. count));
  @ requires \separated(walk->checker, names + (0 .. count));
  @ requires \forall integer i; 0 <= i <= count ==>
  @          name_ok(names[i].text.bytes, names[i].text.size);
  @ terminates \true;
  @ assigns FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_duplicate(struct fxt_i_walk *walk, const struct name *names, unsigned count,
                           uint64_t offset)
{
    if (names[count].text.size == UNKNOWN)
        return;
    /*@ loop invariant 0 <= i <= count;
      @ loop invariant walk_ok(walk) && \forall integer k; 0 <= k <= count ==>
      @                name_ok(names[k].text.bytes, names[k].text.size);
      @ loop assigns i, walk->checker->may_compare;
      @ loop variant count - i;
      @*/
    for (unsigned i = 0; i < count; i++) {
        if (names[i].text.size == names[count].text.size &&
            same_text(walk->checker, &names[i], &names[count])) {
            fxt_i_report(walk, FXT_RULE_ARG_06, offset, i);
            return;
        }
    }
}

/*@ // What is inline in an argument lies in the record.
  @ predicate arg_in_record(struct fxt_record *r, struct fxt_arg *a) =
  @   in_record(r, a->name.bytes, 8 * l_string_words(a->name.ref)) &&
  @   (a->type == 6 ==> in_record(r, a->text.bytes, 8 * l_string_words(a->text.ref))) &&
  @   (a->type == 10 ==> in_record(r, a->blob.bytes, 8 * l_words_of(a->blob.size))) &&
  @   in_record(r, a->tail.bytes, 8 * a->tail.words);
  @*/

/*@ requires walk_ok(walk) && \valid_read(arg) && arg_in_record(walk->record, arg);
  @ requires \separated(walk, arg) && (walk->checker == \null || \separated(walk->checker, arg));
  @ terminates \true;
  @ assigns FXT_I_REPORTS;
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_arg(struct fxt_i_walk *walk, const struct fxt_arg *arg, uint64_t header,
                     uint64_t offset)
{
    struct fxt_tail tail = arg->tail;

    if (arg->type > FXT_ARG_BLOB) {
        fxt_i_report(walk, FXT_RULE_ARG_04, offset, arg->type);
        return;
    }
    if (arg->type >= FXT_ARG_BOOL)
        fxt_i_walk_edition(walk, offset, arg->type);
    fxt_i_walk_reserved(walk, reserved_of(arg->type, header), offset);
    if (arg->type == FXT_ARG_STRING)
        fxt_i_walk_string(walk, arg->text, offset);
    else if (arg->type == FXT_ARG_BLOB)
        fxt_i_walk_padding(walk, arg->blob);
    fxt_i_walk_tail(walk, tail);
}

void fxt_i_walk_args(struct fxt_i_walk *walk, struct fxt_args args)
{
    struct name names[FXT_ARGS_MAX];
    struct fxt_error error;
    struct fxt_arg arg;
    unsigned count = 0;

    /*@ loop invariant walk_ok(walk) && fxt_args_ok(&args) && count + args.count <= 15;
      @ loop invariant kept: walk_kept{Pre,Here}(walk);
      @ loop invariant place: in_record(walk->record, args.bytes, 8 * args.words);
      @ loop invariant names: \forall integer i; 0 <= i < count ==>
      @                       name_ok(names[i].text.bytes, names[i].text.size);
      @ loop assigns args, arg, error, count, names[0 .. 14], FXT_I_REPORTS,
      @              walk->checker->may_compare;
      @ loop variant args.count;
      @*/
    for (;;) {
        uint64_t offset = args.offset;
        const uint8_t *bytes = args.bytes;
        if (fxt_args_next(&args, &arg, &error) != FXT_OK)
            return;
        fxt_i_walk_string(walk, arg.name, offset);
        walk_arg(walk, &arg, fxt_load_word(bytes), offset);
        if (walk->checker == NULL)
            continue;
        names[count] = name_of(walk, arg.name);
        if (names[count].text.size == 0)
            fxt_i_report(walk, FXT_RULE_ARG_07, offset, count);
        walk_duplicate(walk, names, count, offset);
        count++;
    }
}
