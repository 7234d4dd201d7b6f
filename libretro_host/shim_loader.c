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

/* The symbols are those of C++: operator new and new[]. */
void *lh_operator_new(size_t size) __asm__("_Znwm");
void *lh_operator_new_array(size_t size) __asm__("_Znam");

static void *zeroed_object(size_t size) { return zeroed_after(lh_operator_new(size), 0); }

static const struct {
    const void *theirs, *ours;
} allocators[] = {
    {(void *)malloc, (void *)zeroed},
    {(void *)realloc, (void *)zeroed_growth},
    {(void *)memalign, (void *)zeroed_at},
    {(void *)aligned_alloc, (void *)zeroed_at},
    {(void *)posix_memalign, (void *)zeroed_into},
    {(void *)lh_operator_new, (void *)zeroed_object},
    {(void *)lh_operator_new_array, (void *)zeroed_object},
};

static void replace_allocators(ElfW(Addr) base, const ElfW(Rela) * at, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (const ElfW(Rela) *end = at + bytes / sizeof *at; at < end; at++) {
        uint8_t *slot = (uint8_t *)(base + at->r_offset);
        const void *function;
        memcpy(&function, slot, sizeof function);
        for (size_t i = 0; i < sizeof allocators / sizeof *allocators; i++)
            if (function == allocators[i].theirs) {
                uint8_t *first = slot - (uintptr_t)slot % page;
                mprotect(first, (size_t)(slot - first) + sizeof function, PROT_READ | PROT_WRITE);
                memcpy(slot, &allocators[i].ours, sizeof function);
            }
    }
}

/* Each function that the library calls has a slot, which the loader has filled (RTLD_NOW); those with an
 * allocator get ours. Slots may be write-protected by then, and stay writable here. */
void lh_zero_blocks(void *library) {
    struct link_map *map;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map))
        return;
    ElfW(Addr) tables[2] = {0};
    size_t bytes[2] = {0};
    for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_RELA || entry->d_tag == DT_JMPREL)
            tables[entry->d_tag == DT_JMPREL] = entry->d_un.d_ptr;
        if (entry->d_tag == DT_RELASZ || entry->d_tag == DT_PLTRELSZ)
            bytes[entry->d_tag == DT_PLTRELSZ] = entry->d_un.d_val;
    }
    for (size_t i = 0; i < 2; i++) {
        /* Some versions of glibc leave the address as it is in the file. */
        ElfW(Addr) table = tables[i] < map->l_addr ? map->l_addr + tables[i] : tables[i];
        replace_allocators(map->l_addr, (const ElfW(Rela) *)table, bytes[i]);
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
