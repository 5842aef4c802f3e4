/* The JSON validator takes what RFC 8259 allows and refuses what it does not: an oracle that takes
   anything would prove nothing. */
#include <stdio.h>
#include <string.h>

#include "fuzz/lib/json.h"

static const char *const valid[] = {
    "0",
    "-0",
    "12.5e+3",
    "1E9",
    "\"\"",
    "\"a\\u00e4\\n\\\"\\/\"",
    "\"\xc3\xa4\xf0\x9f\x98\x80\"",
    "true",
    "false",
    "null",
    "[]",
    "{}",
    " [ 1 , 2 ] ",
    "{\"a\":{\"b\":[{}]},\"c\":[[],[1]]}",
    "[\n{\"x\":1},\n{\"x\":2}\n]\n",
};

static const char *const invalid[] = {
    "",
    " ",
    "01",
    "-",
    "1.",
    ".5",
    "1e",
    "+1",
    "NaN",
    "Infinity",
    "nul",
    "truex",
    "'a'",
    "\"a",
    "\"\n\"",
    "\"\t\"",
    "\"\\x\"",
    "\"\\u12g4\"",
    "\"\\",
    "\"\\u12",
    "\"\xff\"",
    "\"\xc0\x80\"",
    "\"\xed\xa0\x80\"",
    "\"\xf4\x90\x80\x80\"",
    "\"\xe2\x82\"",
    "\"\xe0\x80\x80\"",
    "[",
    "]",
    "[1",
    "[1,]",
    "[,1]",
    "[1 2]",
    "[1}",
    "{",
    "{1:2}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\":1,}",
    "{\"a\" 1}",
    "{\"a\":1]",
    "1 2",
    "[] []",
    "{\"a\":1}x",
    "[1]]",
};

int main(void)
{
    int bad = 0;
    for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
        if (!fuzz_json_valid(valid[i], strlen(valid[i])))
            bad = printf("refused: %s\n", valid[i]);
    for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
        if (fuzz_json_valid(invalid[i], strlen(invalid[i])))
            bad = printf("taken: %s\n", invalid[i]);
    if (fuzz_json_valid("\"\0\"", 3) || fuzz_json_valid("[1]\0", 4))
        bad = printf("taken: NUL\n");
    return bad != 0;
}
