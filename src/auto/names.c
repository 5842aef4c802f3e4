/* Names of functions, from the symbol tables of the files of which the process consists: .symtab, which
   has static functions too, or else .dynsym. What is read stays in memory, because events refer to it.

   fxt_auto_lock protects all state. The files are not trusted: each place is checked to be inside. */
#include "src/auto/auto.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MODULES_MAX 256
#define NAME_MAX_BYTES 512 /* of one that is made here */

struct module {
    const struct link_map *map;
    ElfW(Addr) base;
    const char *path;
    const ElfW(Sym) * symbols;
    size_t count;
    const char *strings; /* the last one is ended */
    size_t size;
};

static struct module modules[MODULES_MAX];
static size_t module_count;

typedef char *demangler(const char *name, char *room, size_t *size, int *status);

void *fxt_auto_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

/* The lock is held. */
static const char *keep(const char *text)
{
    static char *room;
    static size_t left;
    size_t size = strlen(text) + 1;

    if (size > left) {
        left = size > 65536 ? size : 65536;
        room = fxt_auto_memory(left);
    }
    if (room == NULL) {
        left = 0;
        return NULL;
    }
    char *kept = memcpy(room, text, size);
    room += size;
    left -= size;
    return kept;
}

static bool is_inside(size_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && bytes <= size - offset;
}

/* Takes the table of this type, if the file has a good one. */
static bool take_table(struct module *module, const char *file, size_t size, uint32_t type)
{
    const ElfW(Ehdr) *header = (const void *)file;
    const ElfW(Shdr) *sections = (const void *)(file + header->e_shoff);

    for (unsigned i = 0; i < header->e_shnum; i++) {
        const ElfW(Shdr) *table = &sections[i];
        if (table->sh_type != type || table->sh_link >= header->e_shnum)
            continue;
        const ElfW(Shdr) *strings = &sections[table->sh_link];
        if (!is_inside(size, table->sh_offset, table->sh_size) ||
            table->sh_offset % sizeof(ElfW(Addr)) != 0 ||
            !is_inside(size, strings->sh_offset, strings->sh_size) || strings->sh_size == 0 ||
            file[strings->sh_offset + strings->sh_size - 1] != '\0')
            return false;
        module->symbols = (const void *)(file + table->sh_offset);
        module->count = table->sh_size / sizeof *module->symbols;
        module->strings = file + strings->sh_offset;
        module->size = strings->sh_size;
        return true;
    }
    return false;
}

static void take_tables(struct module *module, const char *file, size_t size)
{
    const ElfW(Ehdr) *header = (const void *)file;

    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shoff % sizeof(ElfW(Addr)) != 0 ||
        !is_inside(size, header->e_shoff, (uint64_t)header->e_shnum * sizeof(ElfW(Shdr))))
        return;
    if (!take_table(module, file, size, SHT_SYMTAB))
        take_table(module, file, size, SHT_DYNSYM);
}

static void read_symbols(struct module *module)
{
    struct stat status;
    int file = open(module->path, O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size_t size = (size_t)status.st_size;
        void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
        if (mapped != MAP_FAILED)
            take_tables(module, mapped, size);
        if (mapped != MAP_FAILED && module->symbols == NULL)
            munmap(mapped, size);
    }
    close(file);
}

/* Where there is a lookup without the loader's lock, it is taken: a thread may hold a lock for which
   a constructor of a library waits, under the loader's. */
static const struct link_map *map_of(const void *function)
{
    void *address = (void *)(uintptr_t)function;
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct dl_find_object found;
    return _dl_find_object(address, &found) == 0 ? found.dlfo_link_map : NULL;
#else
    Dl_info info;
    void *map = NULL;
    return dladdr1(address, &info, &map, RTLD_DL_LINKMAP) != 0 ? map : NULL;
#endif
}

/* NULL: the function is in none, or there are too many. The lock is held. */
static const struct module *module_of(const void *function)
{
    const struct link_map *map = map_of(function);

    if (map == NULL)
        return NULL;
    for (size_t i = 0; i < module_count; i++)
        if (modules[i].map == map && modules[i].base == map->l_addr)
            return &modules[i];
    if (module_count == MODULES_MAX)
        return NULL;
    struct module *module = &modules[module_count++];
    *module = (struct module){.map = map, .base = map->l_addr};
    module->path = keep(*map->l_name != '\0' ? map->l_name : "/proc/self/exe");
    if (module->path != NULL)
        read_symbols(module);
    return module;
}

static const char *symbol_at(const struct module *module, ElfW(Addr) address)
{
    for (size_t i = 0; i < module->count; i++) {
        const ElfW(Sym) *symbol = &module->symbols[i];
        if (symbol->st_value == address && (symbol->st_info & 15) == STT_FUNC &&
            symbol->st_shndx != SHN_UNDEF && symbol->st_name < module->size)
            return module->strings + symbol->st_name;
    }
    return NULL;
}

/* As C++ writes it, if the process has what demangles. The lock is held. */
static const char *demangled(const char *symbol)
{
    static demangler *demangle;
    static bool is_searched;
    int status = 0;

    if (symbol[0] != '_' || symbol[1] != 'Z')
        return symbol;
    if (!is_searched)
        *(void **)&demangle = dlsym(RTLD_DEFAULT, "__cxa_demangle");
    is_searched = true;
    char *text = demangle != NULL ? demangle(symbol, NULL, NULL, &status) : NULL;
    const char *kept = text != NULL && status == 0 ? keep(text) : NULL;
    free(text);
    return kept != NULL ? kept : symbol;
}

static const char *find(const void *function)
{
    char made[NAME_MAX_BYTES];
    const struct module *module = module_of(function);
    uintptr_t address = (uintptr_t)function;
    const char *symbol = module != NULL ? symbol_at(module, address - module->base) : NULL;

    if (symbol != NULL)
        return demangled(symbol);
    if (module == NULL || module->path == NULL) {
        snprintf(made, sizeof made, "0x%llx", (unsigned long long)address);
        return keep(made);
    }
    const char *slash = strrchr(module->path, '/');
    bool is_program = *module->map->l_name == '\0';
    snprintf(made, sizeof made, "%s+0x%llx",
             is_program      ? program_invocation_short_name
             : slash != NULL ? slash + 1
                             : module->path,
             (unsigned long long)(address - module->base));
    return keep(made);
}

const char *fxt_auto_name(const void *function)
{
    pthread_mutex_lock(&fxt_auto_lock);
    const char *name = find(function);
    pthread_mutex_unlock(&fxt_auto_lock);
    return name;
}
