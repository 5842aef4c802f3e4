/* Errors of decoders that refuse a record. */
#include "src/read/cursor.h"

enum fxt_status fxt_i_malformed(struct fxt_error *error, const struct fxt_record *record,
                                uint64_t position, enum fxt_rule rule)
{
    error->offset = record->offset + 8 * position;
    error->status = FXT_MALFORMED;
    error->rule = rule;
    return FXT_MALFORMED;
}

enum fxt_status fxt_i_wrong_type(struct fxt_error *error, const struct fxt_record *record)
{
    error->offset = record->offset;
    error->status = FXT_WRONG_TYPE;
    error->rule = FXT_RULE_NONE;
    return FXT_WRONG_TYPE;
}
