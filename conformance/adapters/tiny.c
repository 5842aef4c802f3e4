/* cc -o tiny tiny.c && ../run --adapter './tiny {file}' --level events --kinds magic,instant */
#include <inttypes.h>
#include <stdio.h>
static uint64_t w[1 << 17]; /* the trace, on a little-endian machine */
static const char *scopes[] = {"thread", "process", "global"};
static uint64_t words(uint64_t ref) { return ref & 0x8000 ? ((ref & 0x7fff) + 7) / 8 : 0; }
static void text(const char *key, uint64_t ref, const void *stream) {
    printf(ref && ref < 0x8000 ? "\"%s\":null," : "\"%s\":{\"hex\":\"", key);
    for (uint64_t i = 0; ref & 0x8000 && i < (ref & 0x7fff); i++)
        printf("%02x", ((const unsigned char *)stream)[i]);
    printf(ref && ref < 0x8000 ? "" : "\"},"); }
static void instant(const uint64_t *r, uint64_t size) {
    uint64_t category = r[0] >> 32 & 0xffff, name = r[0] >> 48, koids = r[0] >> 24 & 255 ? 0 : 2;
    uint64_t end = 2 + koids + words(category) + words(name), scope = end < size ? r[end] : 0;
    if (end > size) return; /* its contents do not fit */
    printf("{\"event\":\"instant\",\"provider\":0,\"ts\":%" PRIu64 ",", r[1]);
    text("category", category, r + 2 + koids);
    text("name", name, r + 2 + koids + words(category));
    if (koids) printf("\"process\":%" PRIu64 ",\"thread\":%" PRIu64, r[2], r[3]);
    else printf("\"process\":null,\"thread\":null");
    printf(",\"scope\":\"%s\",\"args\":{}}\n", scopes[scope > 2 ? 0 : scope]); }
int main(int argc, char **argv) {
    uint64_t bytes = fread(w, 1, sizeof w, fopen(argv[argc - 1], "rb")), n = bytes / 8, size;
    for (uint64_t at = 0; at < n && w[0] != 0x1000044678541600; at += size) {
        size = w[at] == 0 ? 1 : w[at] >> 4 & ((w[at] & 15) == 15 ? 0xffffffff : 0xfff);
        if (size == 0 || size > n - at) return 1;
        if ((w[at] & 0xff000f) == 4) instant(&w[at], size); /* one without arguments */
    }
    return bytes % 8 != 0; }
