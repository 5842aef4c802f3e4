/* cc -o write write.c; PROTOCOL.md has the command of run. For a little-endian machine. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 1 << 17 };
static const char *events[] = {"instant", "counter", "duration_begin", "duration_end",
                               "duration_complete"};
static const char *types[] = {"", "int32", "uint32", "int64", "uint64"};
static char line[MOST], key[MOST], one[MOST], two[MOST], three[MOST];
static char category[MOST], name[MOST], bytes[MOST];
static uint64_t args[MOST / 8], filled, count, type, ts, process, thread, tail;
static void put(uint64_t word) { fwrite(&word, 8, 1, stdout); }
static uint64_t words(uint64_t length) { return (length + 7) / 8; }
static uint64_t ref(uint64_t length) { return length ? 0x8000 | length : 0; } /* of an inline string */
static uint64_t text(const char *quoted) { /* fills `bytes`; their number */
    uint64_t length = 0;
    memset(bytes, 0, sizeof bytes);
    for (const char *at = quoted + 1; *at != '"'; at += *at == '%' ? 3 : 1)
        bytes[length++] = *at == '%' ? (char)strtoul((char[]){at[1], at[2], 0}, 0, 16) : *at;
    return length; }
static void put_text(uint64_t length) { fwrite(bytes, 8, words(length), stdout); }
static uint64_t find(const char *const *names, const char *which) {
    uint64_t at = 0;
    while (strcmp(names[at], which) != 0) at++;
    return at; }
static void arg(const char *of_type, const char *of_name, const char *text_of_value) {
    uint64_t kind = find(types, of_type), value = strtoull(text_of_value, 0, 10); /* may be negative */
    uint64_t length = text(of_name), size = 1 + words(length) + (kind > 2);
    args[filled] = kind | size << 4 | ref(length) << 16 | (kind > 2 ? 0 : value << 32);
    memcpy(&args[filled + 1], bytes, 8 * words(length));
    if (kind > 2) args[filled + size - 1] = value;
    filled += size, count++; }
static void event(void) {
    uint64_t of_category = text(category), of_name = text(name);
    uint64_t size = 4 + words(of_category) + words(of_name) + filled + (type < 2 || type > 3);
    put(4 | size << 4 | type << 16 | count << 20 | ref(of_category) << 32 | ref(of_name) << 48);
    put(ts), put(process), put(thread);
    text(category), put_text(of_category), text(name), put_text(of_name);
    fwrite(args, 8, filled, stdout);
    if (type < 2 || type > 3) put(tail); }
int main(int argc, char **argv) {
    FILE *script = fopen(argv[argc - 1], "r");
    for (put(0x0016547846040010); fgets(line, sizeof line, script);) {
        sscanf(line, "%s %s %s %s", key, one, two, three);
        uint64_t number = strtoull(one, 0, 10), id = strtoull(two, 0, 10);
        if (!strcmp(key, "write") && !strcmp(one, "initialization")) put(0x21), put(id);
        if (!strcmp(key, "write") && !strcmp(one, "provider")) {
            uint64_t length = text(three);
            put((1 + words(length)) << 4 | 1 << 16 | id << 20 | length << 52), put_text(length); }
        if (!strcmp(key, "event")) type = find(events, one), filled = count = tail = 0;
        if (!strcmp(key, "process")) process = number;
        if (!strcmp(key, "thread")) thread = number;
        if (!strcmp(key, "ts")) ts = number;
        if (!strcmp(key, "category")) strcpy(category, one);
        if (!strcmp(key, "name")) strcpy(name, one);
        if (!strcmp(key, "scope")) tail = one[0] == 'p' ? 1 : one[0] == 'g' ? 2 : 0;
        if (!strcmp(key, "id") || !strcmp(key, "end")) tail = number;
        if (!strcmp(key, "arg")) arg(one, two, three);
        if (!strcmp(key, "done")) event(); } }
