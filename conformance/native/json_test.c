#include <criterion/criterion.h>

#include <string.h>

#include "conformance/native/json.h"

enum { NODES = 64 };

static struct json nodes[NODES];
static char text[4096];

static bool reads(const char *json)
{
    strcpy(text, json);
    return json_read(nodes, NODES, text, strlen(json));
}

Test(json, values)
{
    cr_expect(reads(" null ") && nodes->type == JSON_NULL);
    cr_expect(reads("true") && nodes->type == JSON_TRUE);
    cr_expect(reads("false") && nodes->type == JSON_FALSE);
    cr_expect(reads("-18") && nodes->type == JSON_INTEGER && nodes->negative);
    cr_expect_eq(nodes->magnitude, 18);
    cr_expect(reads("18446744073709551615") && nodes->magnitude == UINT64_MAX);
    cr_expect(reads("-9223372036854775808") && nodes->type == JSON_INTEGER);
    cr_expect(reads("-9223372036854775809") && nodes->type == JSON_REAL);
    cr_expect(reads("18446744073709551616") && nodes->type == JSON_REAL);
    cr_expect(reads("1e3") && nodes->type == JSON_REAL && nodes->real == 1000.0);
    cr_expect(reads("-0.5") && nodes->real == -0.5);
}

Test(json, texts)
{
    cr_assert(reads("\"a\\n\\u0000\\u00e9\\uD83D\\ude00\\/\""));
    cr_assert_eq(nodes->text.size, strlen("a\n") + 1 + 2 + 4 + 1);
    cr_expect_arr_eq(nodes->text.bytes, "a\n\0\xc3\xa9\xf0\x9f\x98\x80/", 10);
}

Test(json, objects_and_arrays)
{
    cr_assert(reads("{\"a\":1, \"b\" : {\"c\":[1,2,[]],\"d\":{}} , \"a\":3}"));
    cr_expect_eq(nodes->nodes, 9);
    cr_expect_eq(json_get(nodes, "a")->magnitude, 3);
    cr_expect_null(json_get(nodes, "c"));
    const struct json *list = json_get(json_get(nodes, "b"), "c");
    const struct json *second = json_next(list, json_next(list, NULL));
    cr_expect_eq(second->magnitude, 2);
    const struct json *third = json_next(list, second);
    cr_expect(third->type == JSON_ARRAY && json_next(third, NULL) == NULL);
    cr_expect_null(json_next(list, third));
    cr_expect(reads("[]") && nodes->nodes == 1);
}

Test(json, what_is_no_json)
{
    const char *bad[] = {"",
                         "{",
                         "}",
                         "[1",
                         "[1,]",
                         "[,1]",
                         "{\"a\"}",
                         "{\"a\":}",
                         "{a:1}",
                         "{\"a\":1",
                         "[1 2]",
                         "1 2",
                         "nul",
                         "\"a",
                         "\"\\x\"",
                         "\"\n\"",
                         "-",
                         "+1",
                         "-inf",
                         "0x10",
                         "\"\\u12\"",
                         "[1}",
                         "{\"a\":1]",
                         "\"\\",
                         "\"\\ud83d\"",
                         "\"\\ude00\"",
                         "[[[[[[[[[1]]]]]]]]]"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        cr_expect_not(reads(bad[i]), "%s", bad[i]);
}

Test(json, more_values_than_there_is_room_for)
{
    strcpy(text, "[1");
    for (int i = 0; i < NODES; i++)
        strcat(text, ",1");
    strcat(text, "]");
    cr_expect_not(json_read(nodes, NODES, text, strlen(text)));
}

/* Whatever the bytes: nothing outside of the text and the nodes is touched, which a sanitizer sees. */
Test(json, every_prefix_and_every_changed_byte)
{
    static const char whole[] = "{\"a\":[1,-2.5e3,\"\\u00e9\\ud83d\\ude00\"],\"b\":{\"c\":null}}";
    for (size_t size = 0; size < sizeof whole - 1; size++) {
        memcpy(text, whole, size);
        cr_expect_not(json_read(nodes, NODES, text, size), "%.*s", (int)size, whole);
    }
    for (size_t at = 0; at < sizeof whole - 1; at++) {
        for (int byte = 0; byte < 256; byte++) {
            memcpy(text, whole, sizeof whole);
            text[at] = (char)byte;
            json_read(nodes, NODES, text, sizeof whole - 1);
        }
    }
}
