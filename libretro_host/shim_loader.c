/* The dynamic loader: opens the core, and EGL for a core that draws with OpenGL. */
#define _GNU_SOURCE /* dladdr */
#include <string.h>

#include "shim.h"

#if defined(_WIN32)
#include <windows.h>
void *lh_open_library(const char *path) {
    wchar_t wide[4096];
    if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096))
        return NULL;
    return (void *)LoadLibraryW(wide);
}
void *lh_find_symbol(void *library, const char *name) {
    return (void *)GetProcAddress((HMODULE)library, name);
}
void lh_close_library(void *library) { FreeLibrary((HMODULE)library); }
const char *lh_loader_error(void) { return "the dynamic loader refused it"; }
uint64_t lh_library_base(void) { return (uintptr_t)lh.library; }
#else
#include <dlfcn.h>
void *lh_open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
void *lh_find_symbol(void *library, const char *name) { return dlsym(library, name); }
void lh_close_library(void *library) { dlclose(library); }
const char *lh_loader_error(void) {
    const char *text = dlerror();
    return text ? text : "the dynamic loader refused it";
}
uint64_t lh_library_base(void) {
    if (!lh.library_base) {
        Dl_info about;
        void *known = lh_find_symbol(lh.library, "retro_run");
        lh.library_base = dladdr(known, &about) ? (uintptr_t)about.dli_fbase : 0;
    }
    return lh.library_base;
}
#endif

#if defined(__GLIBC__) && __SIZEOF_POINTER__ == 8
#include <link.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void *zeroed(size_t size) { return calloc(1, size); }

static void *zeroed_after(void *block, size_t from) {
    const size_t size = block ? malloc_usable_size(block) : 0;
    if (size > from)
        memset((uint8_t *)block + from, 0, size - from);
    return block;
}

static void *zeroed_growth(void *block, size_t size) {
    const size_t kept = block ? malloc_usable_size(block) : 0;
    return zeroed_after(realloc(block, size), kept);
}

static void *zeroed_at(size_t alignment, size_t size) { return zeroed_after(memalign(alignment, size), 0); }

static int zeroed_into(void **block, size_t alignment, size_t size) {
    const int failure = posix_memalign(block, alignment, size);
    if (!failure)
        zeroed_after(*block, 0);
    return failure;
}

/* The symbol is that of operator new in C++. */
void *lh_operator_new(size_t size) __asm__("_Znwm");

static void *zeroed_object(size_t size) { return zeroed_after(lh_operator_new(size), 0); }

static const struct {
    const char *name;
    const void *ours;
} allocators[] = {
    {"malloc", (void *)zeroed},
    {"realloc", (void *)zeroed_growth},
    {"memalign", (void *)zeroed_at},
    {"aligned_alloc", (void *)zeroed_at},
    {"posix_memalign", (void *)zeroed_into},
    {"_Znwm", (void *)zeroed_object},
    {"_Znam", (void *)zeroed_object},
};

/* Writes a function's address into a slot, which the loader may have write-protected, and which stays writable. */
static void fill_slot(uint8_t *slot, const void *function) {
    uint8_t *page = slot - (uintptr_t)slot % (size_t)sysconf(_SC_PAGESIZE);
    if (!mprotect(page, (size_t)(slot - page) + sizeof function, PROT_READ | PROT_WRITE))
        memcpy(slot, &function, sizeof function);
}

/* Each function that the library takes from another one has a slot. They are known by name, because their
 * address need not be the one that C gives: Debian's Python has addresses of its own for some. */
void lh_zero_blocks(void *library) {
    struct link_map *map;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map))
        return;
    const ElfW(Addr) base = map->l_addr;
    ElfW(Addr) found[DT_JMPREL + 1] = {0};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag > 0 && entry->d_tag <= DT_JMPREL)
            found[entry->d_tag] = entry->d_un.d_val;
    const ElfW(Xword) tables[2][2] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
    /* Some versions of glibc leave addresses as they are in the file. */
    const int addresses[] = {DT_RELA, DT_JMPREL, DT_SYMTAB, DT_STRTAB};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++)
        if (found[addresses[i]] < base)
            found[addresses[i]] += base;
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)found[DT_SYMTAB];
    const char *names = (const char *)found[DT_STRTAB];
    for (size_t i = 0; i < 2; i++) {
        const ElfW(Rela) *at = (const ElfW(Rela) *)found[tables[i][0]];
        for (const ElfW(Rela) *end = at + found[tables[i][1]] / sizeof *at; at < end; at++) {
            const ElfW(Sym) *symbol = symbols + ELF64_R_SYM(at->r_info);
            if (!ELF64_R_SYM(at->r_info) || symbol->st_shndx != SHN_UNDEF)
                continue;
            for (size_t k = 0; k < sizeof allocators / sizeof *allocators; k++)
                if (!strcmp(names + symbol->st_name, allocators[k].name))
                    fill_slot((uint8_t *)(base + at->r_offset), allocators[k].ours);
        }
    }
}
#else
void lh_zero_blocks(void *library) { (void)library; }
#endif

/* Some cores copy whole structures into a state, with pointers into their library, whose address
 * differs in each process. The pointers become offsets, so that the same play makes the same state.
 * This is safe, because no core can use a pointer that another process saved. */
void lh_hide_addresses(uint8_t *state, size_t size, uint64_t library) {
    enum { LIBRARY_BYTES = 64 << 20 };
    uint64_t word;
    if (!library || size < sizeof word)
        return;
    /* In little endian, this byte of an address is the rarest in other data. */
    const int rare = library >> 40 ? 5 : 4;
    const uint8_t *end = state + size - sizeof word + rare + 1;
    uint8_t *at = state + rare;
    while (at < end && (at = memchr(at, (uint8_t)(library >> 8 * rare), end - at)) != NULL) {
        memcpy(&word, at - rare, sizeof word);
        word -= library;
        if (word < LIBRARY_BYTES)
            memcpy(at - rare, &word, sizeof word);
        at++;
    }
}
