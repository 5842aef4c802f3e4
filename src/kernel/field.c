/* The layout comes from the kernel's own description, through libtraceevent. The library does not
   check that a field lies within the data, so this file does. */
#include "src/kernel/field.h"

#include <string.h>

/* The address of the field, or NULL. */
static const uint8_t *place_of(const struct fxt_kernel_data *data,
                               const struct tep_format_field *field)
{
    if (field == NULL || field->offset < 0 || field->size < 0 ||
        (size_t)field->offset + (size_t)field->size > data->size)
        return NULL;
    return data->bytes + field->offset;
}

static struct tep_format_field *find(const struct fxt_kernel_data *data, const char *name)
{
    return tep_find_any_field((struct tep_event *)data->format, name);
}

static int64_t extended(uint64_t value, const struct tep_format_field *field)
{
    bool is_signed = (field->flags & TEP_FIELD_IS_SIGNED) != 0;
    if (is_signed && field->size < 8 && (value >> (8 * field->size - 1)) != 0)
        value |= UINT64_MAX << 8 * field->size;
    return (int64_t)value;
}

bool fxt_kernel_field_number(int64_t *out, const struct fxt_kernel_data *data, const char *name)
{
    struct tep_format_field *field = find(data, name);
    const uint8_t *place = place_of(data, field);
    if (place == NULL ||
        (field->size != 1 && field->size != 2 && field->size != 4 && field->size != 8))
        return false;
    *out = extended(tep_read_number(data->format->tep, place, field->size), field);
    return true;
}

bool fxt_kernel_field_u32(uint32_t *out, const struct fxt_kernel_data *data, const char *name)
{
    int64_t value;
    if (!fxt_kernel_field_number(&value, data, name) || value < 0 || value > UINT32_MAX)
        return false;
    *out = (uint32_t)value;
    return true;
}

bool fxt_kernel_field_i32(int32_t *out, const struct fxt_kernel_data *data, const char *name)
{
    int64_t value;
    if (!fxt_kernel_field_number(&value, data, name) || value < INT32_MIN || value > INT32_MAX)
        return false;
    *out = (int32_t)value;
    return true;
}

/* A dynamic array: the upper half of the field is its length. The lower half is its offset, from
   the start of the data or from the end of the field. */
static const uint8_t *dynamic_place(size_t *size, const struct fxt_kernel_data *data,
                                    const struct tep_format_field *field)
{
    const uint8_t *place = place_of(data, field);
    if (place == NULL || field->size != 4)
        return NULL;
    uint32_t where = (uint32_t)tep_read_number(data->format->tep, place, 4);
    size_t begin = where & 0xffff;
    if ((field->flags & TEP_FIELD_IS_RELATIVE) != 0)
        begin += (size_t)field->offset + 4;
    *size = where >> 16;
    return begin + *size <= data->size ? data->bytes + begin : NULL;
}

bool fxt_kernel_field_text(char *out, size_t size, const struct fxt_kernel_data *data,
                           const char *name)
{
    struct tep_format_field *field = find(data, name);
    size_t length = 0;
    const uint8_t *place;
    if (field != NULL && (field->flags & TEP_FIELD_IS_DYNAMIC) != 0)
        place = dynamic_place(&length, data, field);
    else {
        place = place_of(data, field);
        length = place != NULL ? (size_t)field->size : 0;
    }
    if (place == NULL)
        return false;
    length = strnlen((const char *)place, length < size ? length : size - 1);
    memcpy(out, place, length);
    out[length] = '\0';
    return true;
}
