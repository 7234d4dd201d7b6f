/* The dynamic loader: opens the core, and EGL for a core that draws with OpenGL. */
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
#else
#include <dlfcn.h>
void *lh_open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
void *lh_find_symbol(void *library, const char *name) { return dlsym(library, name); }
void lh_close_library(void *library) { dlclose(library); }
const char *lh_loader_error(void) {
    const char *text = dlerror();
    return text ? text : "the dynamic loader refused it";
}
#endif
