/* main() for a fuzz target without a fuzzer: runs it once on each file, and on each file of each
   directory, that is named on the command line. Fails when it ran on nothing. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static unsigned long count;

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        return 1;
    }
    long size = ftell(file);
    uint8_t *bytes = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    if (size < 0 || bytes == NULL || fread(bytes, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        fclose(file);
        free(bytes);
        return 1;
    }
    fclose(file);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
    count++;
    return 0;
}

static int replay(const char *path)
{
    char name[4096];
    DIR *directory = opendir(path);
    struct dirent *entry;
    int bad = 0;

    if (directory == NULL)
        return replay_file(path);
    while ((entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        bad |= replay_file(name);
    }
    closedir(directory);
    return bad;
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= replay(argv[i]);
    fprintf(stderr, "%lu inputs\n", count);
    return bad != 0 || count == 0;
}
