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
        break;
    }
    return fxt_arg_plain_header_reserved(header);
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

/* The size of an unknown name: its ref is not registered. */
#define UNKNOWN UINT64_MAX

#define NO_DIGEST UINT32_MAX

struct name {
    struct fxt_bytes text;
    uint32_t digest; /* of a registered text; texts with different digests differ */
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
        name.digest = fxt_i_current_provider(tables)->strings[ref.ref].digest;
    return name;
}

/* Compares two names of the same size. The text in a record of 15 arguments bounds the work for
   inline names. A registered text may be long even if the record is short, so `may_compare` limits
   the bytes that are compared. */
/*@ requires \valid(checker) && a.text.size == b.text.size;
  @ requires readable(a.text.bytes, a.text.size) && readable(b.text.bytes, b.text.size);
  @ terminates \true;
  @ assigns checker->may_compare;
  @*/
static bool same_text(struct fxt_checker *checker, struct name a, struct name b)
{
    if (a.text.bytes == b.text.bytes)
        return true;
    if (a.digest != NO_DIGEST && b.digest != NO_DIGEST) {
        if (a.digest != b.digest || checker->may_compare < a.text.size)
            return false;
        checker->may_compare -= a.text.size;
    }
    return same_bytes(a.text, b.text);
}

/*@ // The names before `count` are names.
  @ predicate names_ok(struct name *names, integer count) =
  @   \forall integer i; 0 <= i < count ==>
  @     name_ok(names[i].text.bytes, names[i].text.size);
  @*/

/* ARG-06: compares a known name with the `count` names before it. */
/*@ requires walk_ok(walk) && walk->checker != \null;
  @ requires count < 15 && \valid_read(names + (0 .. 14));
  @ requires \separated(walk, names + (0 .. 14));
  @ requires \separated(walk->checker, names + (0 .. 14));
  @ requires names_ok(names, count) && name_ok(name.text.bytes, name.text.size);
  @ terminates \true; FXT_I_WALKS, walk->checker->may_compare;
  @*/
static void walk_duplicate(struct fxt_i_walk *walk, const struct name *names, uint32_t count,
                           struct name name, uint64_t offset)
{
    if (name.text.size == UNKNOWN)
        return;
    /*@ loop invariant i <= count;
      @ loop invariant walk: walk_ok(walk) && walk_kept{Pre,Here}(walk);
      @ loop invariant names: names_ok(names, count);
      @ loop assigns i, walk->checker->may_compare;
      @ loop variant count - i;
      @*/
    for (uint32_t i = 0; i < count; i++) {
        struct name other = names[i];
        if (other.text.size == name.text.size && same_text(walk->checker, other, name)) {
            fxt_i_report(walk, FXT_RULE_ARG_06, offset, i);
            return;
        }
    }
}

/* Checks ARG-06 and ARG-07, and adds the name to the others. */
/*@ requires walk_ok(walk) && walk->checker != \null;
  @ requires count < 15 && \valid(names + (0 .. 14));
  @ requires \separated(walk, names + (0 .. 14));
  @ requires \separated(walk->checker, names + (0 .. 14));
  @ requires \separated(walk->record, names + (0 .. 14));
  @ requires names_ok(names, count);
  @ requires readable(ref.bytes, l_inline_length(ref.ref));
  @ terminates \true;
  @ assigns names[count], FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures same: walk->checker == \old(walk->checker) && walk->record == \old(walk->record);
  @ ensures bytes: walk->record->bytes == \old(walk->record->bytes);
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @ ensures names: names_ok(names, count + 1);
  @*/
static void walk_name(struct fxt_i_walk *walk, struct name *names, uint32_t count,
                      struct fxt_string_ref ref, uint64_t offset)
{
    struct name name = name_of(walk, ref);

    names[count] = name;
    /*@ assert same: walk->checker == \at(walk->checker, Pre)
      @              && walk->record == \at(walk->record, Pre); */
    /*@ assert bytes: walk->record->bytes == \at(walk->record->bytes, Pre); */
    /*@ assert kept: walk_kept{Pre,Here}(walk); */
    /*@ assert tables: tables_read(&walk->checker->tables); */
    /*@ assert ok: walk_ok(walk); */
    /*@ assert others: names_ok(names, count); */
    /*@ assert named: names_ok(names, count + 1); */
    if (name.text.size == 0)
        fxt_i_report(walk, FXT_RULE_ARG_07, offset, count);
    /*@ assert still: names_ok(names, count + 1); */
    walk_duplicate(walk, names, count, name, offset);
}

/*@ // The n bytes at p are some of those at `start`; p may be anything when n is 0.
  @ predicate in_bytes(uint8_t *start, integer size, uint8_t *p, integer n) =
  @   n > 0 ==> \base_addr(p) == \base_addr(start) && 0 <= p - start && p - start + n <= size;
  @*/

/* What the walk needs of the current argument and the following ones; no more, so that it stays in
   registers. */
struct taken {
    struct fxt_args rest;
    struct fxt_string_ref name;
    struct fxt_string_ref text;
    struct fxt_bytes blob;
    struct fxt_tail tail;
    uint16_t type;
    uint16_t is_one;
};

/*@ requires args.offset + 8 * args.words <= 18446744073709551615;
  @ requires readable(args.bytes, 8 * args.words);
  @ terminates \true;
  @ assigns \nothing;
  @ ensures less: \result.is_one != 0 ==> args.words > 0 && args.count > 0
  @         && \result.rest.count == args.count - 1;
  @ ensures rest: \result.is_one != 0 ==>
  @         \result.rest.offset + 8 * \result.rest.words <= 18446744073709551615
  @         && readable(\result.rest.bytes, 8 * \result.rest.words)
  @         && in_bytes(args.bytes, 8 * args.words, \result.rest.bytes, 8 * \result.rest.words);
  @ ensures name: \result.is_one != 0 ==>
  @         in_bytes(args.bytes, 8 * args.words, \result.name.bytes,
  @                  8 * l_string_words(\result.name.ref))
  @         && readable(\result.name.bytes, l_inline_length(\result.name.ref));
  @ ensures text: \result.is_one != 0 ==>
  @         in_bytes(args.bytes, 8 * args.words, \result.text.bytes,
  @                  8 * l_string_words(\result.text.ref));
  @ ensures blob: \result.is_one != 0 ==>
  @         in_bytes(args.bytes, 8 * args.words, \result.blob.bytes,
  @                  8 * l_words_of(\result.blob.size));
  @ ensures tail: \result.is_one != 0 ==>
  @         in_bytes(args.bytes, 8 * args.words, \result.tail.bytes,
  @                  8 * \result.tail.words);
  @*/
static struct taken take(struct fxt_args args)
{
    struct fxt_args rest = args;
    struct fxt_arg arg;
    struct fxt_error error;
    enum fxt_status status = fxt_args_next(&rest, &arg, &error);

    struct taken it = {rest, arg.name, arg.text, arg.blob, arg.tail, arg.type, status == FXT_OK};
    /*@ assert says: status == FXT_OK ==>
      @   says_arg{Here,Here}(args.bytes, l_word(args.bytes), &arg); */
    /*@ assert said_blob: status == FXT_OK ==>
      @   says_stream(it.blob.bytes, it.blob.size, args.bytes, l_arg_value(l_word(args.bytes)),
      @               l_arg_blob(l_word(args.bytes))); */
    /*@ assert said_tail: status == FXT_OK ==>
      @   says_tail(it.tail.bytes, it.tail.words, args.bytes, l_arg_end(l_word(args.bytes)),
      @             l_arg_header_size(l_word(args.bytes))); */
    /*@ assert hop: status == FXT_OK ==>
      @   0 < l_arg_header_size(l_word(args.bytes)) <= args.words
      @   && l_arg_end(l_word(args.bytes)) <= l_arg_header_size(l_word(args.bytes)); */
    /*@ assert value: 1 <= l_arg_value(l_word(args.bytes)); */
    /*@ assert own: 0 <= l_arg_value_words(l_word(args.bytes)); */
    /*@ assert words: l_words_of(l_arg_blob(l_word(args.bytes)))
      @               <= l_arg_value_words(l_word(args.bytes)); */
    /*@ assert blob: status == FXT_OK ==>
      @   in_bytes(args.bytes, 8 * args.words, it.blob.bytes, 8 * l_words_of(it.blob.size)); */
    /*@ assert tail: status == FXT_OK ==>
      @   in_bytes(args.bytes, 8 * args.words, it.tail.bytes, 8 * it.tail.words); */
    return it;
}

/*@ requires walk_ok(walk);
  @ requires in_record(walk->record, arg.text.bytes, 8 * l_string_words(arg.text.ref));
  @ requires in_record(walk->record, arg.blob.bytes, 8 * l_words_of(arg.blob.size));
  @ requires in_record(walk->record, arg.tail.bytes, 8 * arg.tail.words);
  @ terminates \true; FXT_I_WALKS;
  @*/
static void walk_arg(struct fxt_i_walk *walk, struct taken arg, uint64_t header, uint64_t offset)
{
    if (arg.type > FXT_ARG_BLOB) {
        fxt_i_report(walk, FXT_RULE_ARG_04, offset, arg.type);
        return;
    }
    if (arg.type >= FXT_ARG_BOOL)
        fxt_i_walk_edition(walk, offset, arg.type);
    fxt_i_walk_reserved(walk, reserved_of(arg.type, header), offset);
    if (arg.type == FXT_ARG_STRING)
        fxt_i_walk_string(walk, arg.text, offset);
    else if (arg.type == FXT_ARG_BLOB)
        fxt_i_walk_padding(walk, arg.blob);
    fxt_i_walk_tail(walk, arg.tail);
}

/* Walks the first argument, without comparing its name with the others. */
/*@ requires walk_ok(walk);
  @ requires args_inside(walk->record, args.bytes, args.offset, args.words, args.count);
  @ requires args.words > 0;
  @ requires in_bytes(args.bytes, 8 * args.words, arg.name.bytes,
  @                   8 * l_string_words(arg.name.ref));
  @ requires in_bytes(args.bytes, 8 * args.words, arg.text.bytes,
  @                   8 * l_string_words(arg.text.ref));
  @ requires in_bytes(args.bytes, 8 * args.words, arg.blob.bytes, 8 * l_words_of(arg.blob.size));
  @ requires in_bytes(args.bytes, 8 * args.words, arg.tail.bytes, 8 * arg.tail.words);
  @ terminates \true; FXT_I_WALKS;
  @*/
static void walk_taken(struct fxt_i_walk *walk, struct fxt_args args, struct taken arg)
{
    uint64_t header = fxt_load_word(args.bytes);

    /*@ assert name: in_record(walk->record, arg.name.bytes, 8 * l_string_words(arg.name.ref)); */
    /*@ assert text: in_record(walk->record, arg.text.bytes, 8 * l_string_words(arg.text.ref)); */
    /*@ assert blob: in_record(walk->record, arg.blob.bytes, 8 * l_words_of(arg.blob.size)); */
    /*@ assert tail: in_record(walk->record, arg.tail.bytes, 8 * arg.tail.words); */
    fxt_i_walk_string(walk, arg.name, args.offset);
    walk_arg(walk, arg, header, args.offset);
}

/* Walks the arguments one by one. `names` is memory for 15 names. */
/*@ requires walk_ok(walk);
  @ requires args_inside(walk->record, args.bytes, args.offset, args.words, args.count);
  @ requires \valid(names + (0 .. 14));
  @ requires \separated(walk, names + (0 .. 14));
  @ requires \separated(walk->record, names + (0 .. 14));
  @ requires walk->checker == \null || \separated(walk->checker, names + (0 .. 14));
  @ terminates \true;
  @ assigns names[0 .. 14], FXT_I_REPORTS, walk->checker->may_compare;
  @ ensures same: walk->checker == \old(walk->checker) && walk->record == \old(walk->record);
  @ ensures ok: walk_ok(walk) && walk_kept{Old,Here}(walk);
  @*/
static void walk_each(struct fxt_i_walk *walk, struct fxt_args args, struct name *names)
{
    uint32_t count = 0;

    /*@ loop invariant same: walk->checker == \at(walk->checker, Pre)
      @                      && walk->record == \at(walk->record, Pre);
      @ loop invariant walk: walk_ok(walk) && walk_kept{Pre,Here}(walk);
      @ loop invariant place: args_inside(walk->record, args.bytes, args.offset, args.words,
      @                                   args.count);
      @ loop invariant count: count + args.count <= 15;
      @ loop invariant names: walk->checker != \null ==> names_ok(names, count);
      @ loop assigns args, count, names[0 .. 14], FXT_I_REPORTS, walk->checker->may_compare;
      @ loop variant args.count;
      @*/
    for (;;) {
        struct taken it = take(args);
        if (!it.is_one)
            return;
        walk_taken(walk, args, it);
        /*@ assert rest: args_inside(walk->record, it.rest.bytes, it.rest.offset, it.rest.words,
          @                          it.rest.count); */
        if (walk->checker != NULL) {
            walk_name(walk, names, count, it.name, args.offset);
            /*@ assert still: args_inside(walk->record, it.rest.bytes, it.rest.offset,
              @                           it.rest.words, it.rest.count); */
            count++;
        }
        args = it.rest;
    }
}

void fxt_i_walk_args(struct fxt_i_walk *walk, struct fxt_args args)
{
    struct name names[FXT_ARGS_MAX];

    /*@ assert ok: walk_ok(walk); */
    walk_each(walk, args, names);
    /*@ assert same: walk->checker == \at(walk->checker, Pre)
      @              && walk->record == \at(walk->record, Pre); */
}
