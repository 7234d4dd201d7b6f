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
