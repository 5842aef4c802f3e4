/* A script does the same after any others as alone in a new process: so the file of a finding is
   enough to see it again. Runs the scripts of a folder, and as many that are made from them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/engine/model.h"
#include "fuzz/lib/oracle.h"

enum { SCRIPTS_MAX = 300, SCRIPT_BYTES = 600, CHANGES = 12 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static struct script {
    char name[256];
    uint8_t bytes[SCRIPT_BYTES];
    size_t size;
} scripts[SCRIPTS_MAX];

static int count;
static uint64_t *alone; /* what each does alone; shared with the processes that say it */

static int is_script(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot != NULL && strcmp(dot, ".engine") == 0;
}

static void read_scripts(const char *path)
{
    struct dirent **entries = NULL;
    int found = scandir(path, &entries, is_script, alphasort);

    for (int i = 0; i < found; i++) {
        struct script *it = &scripts[count];
        char whole[4096];
        snprintf(it->name, sizeof it->name, "%s", entries[i]->d_name);
        snprintf(whole, sizeof whole, "%s/%s", path, entries[i]->d_name);
        FILE *file = fopen(whole, "rb");
        FUZZ_CHECK(file != NULL && count < SCRIPTS_MAX);
        it->size = fread(it->bytes, 1, sizeof it->bytes, file);
        fclose(file);
        free(entries[i]);
        count++;
    }
    free(entries);
}

static void make_more(void)
{
    uint64_t state = 1;

    for (int read = count; count < SCRIPTS_MAX; count++) {
        struct script *it = &scripts[count];
        *it = scripts[fuzz_random(&state) % (uint64_t)read];
        for (int i = 0; i < CHANGES; i++)
            it->bytes[fuzz_random(&state) % it->size] = (uint8_t)fuzz_random(&state);
    }
}

static uint64_t run_script(const struct script *it)
{
    memset(model_buffer, 0, sizeof model_buffer);
    x_digest = 0;
    LLVMFuzzerTestOneInput(it->bytes, it->size);
    uint64_t digest = x_digest;
    for (size_t i = 0; i < sizeof model_buffer; i++)
        digest = 31 * digest + model_buffer[i];
    return digest;
}

static void run_alone(int i)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        alone[i] = run_script(&scripts[i]);
        _exit(0);
    }
    FUZZ_CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

/* Whether it does what it did alone. */
static bool is_equal(int i)
{
    if (run_script(&scripts[i]) == alone[i])
        return true;
    fprintf(stderr, "script %d, from %s, does something else after others\n", i, scripts[i].name);
    return false;
}

int main(int argc, char **argv)
{
    int unequal = 0;

    if (argc == 2)
        read_scripts(argv[1]);
    FUZZ_CHECK(count > 0);
    make_more();
    alone = mmap(NULL, sizeof alone[0] * SCRIPTS_MAX, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FUZZ_CHECK(alone != MAP_FAILED);
    for (int i = 0; i < count; i++)
        run_alone(i);
    for (int i = 0; i < count; i++)
        unequal += !is_equal(i);
    for (int i = count - 1; i >= 0; i--)
        unequal += !is_equal(i);
    fprintf(stderr, "%d scripts, %d unequal\n", count, unequal);
    return unequal != 0;
}
