/* OpenGL for cores that draw with it: a context without a display, the frame buffer that the core draws
 * into, and its picture. EGL is loaded when a core asks for it, so that only such cores need it. */
#include <stdio.h>
#include <string.h>

#include "shim.h"

#if defined(_WIN32)
#define GL_CALL __stdcall
#else
#define GL_CALL
#endif

/* ---- the few constants and functions of EGL and OpenGL that are used here ---- */

typedef void *egl_display, *egl_context, *egl_config, *egl_device;
enum { EXTENSIONS = 0x3055, END_OF_LIST = 0x3038, MOST_DEVICES = 16 };
enum { PLATFORM_SURFACELESS = 0x31DD, PLATFORM_DEVICE = 0x313F };
enum { API_ES = 0x30A0, API_GL = 0x30A2 };
enum { RENDERABLE = 0x3040, RENDERABLE_ES2 = 0x4, RENDERABLE_GL = 0x8 };
enum { SURFACE_TYPE = 0x3033, CONTEXT_MAJOR = 0x3098, CONTEXT_MINOR = 0x30FB, PROFILE = 0x30FD };
enum { PROFILE_CORE = 1 };
enum { FRAMEBUFFER = 0x8D40, READ_FRAMEBUFFER = 0x8CA8, RENDERBUFFER = 0x8D41 };
enum { PIXEL_PACK_BUFFER = 0x88EB, COLOR = 0x8CE0, DEPTH = 0x8D00, STENCIL = 0x8D20 };
enum { FRAMEBUFFER_BOUND = 0x8CA6, READ_FRAMEBUFFER_BOUND = 0x8CAA, RENDERBUFFER_BOUND = 0x8CA7 };
enum { PIXEL_PACK_BOUND = 0x88ED, COMPLETE = 0x8CD5, MAX_RENDERBUFFER = 0x84E8 };
enum { RGBA = 0x1908, RGBA8 = 0x8058, DEPTH24_STENCIL8 = 0x88F0, BYTES = 0x1401 };
enum { PACK_ROW_LENGTH = 0x0D02, PACK_SKIP_ROWS, PACK_SKIP_PIXELS, PACK_ALIGNMENT };
enum { VERSION_TEXT = 0x1F02 };

static struct {
    void *library;
    void *(GL_CALL *proc)(const char *);
    const char *(GL_CALL *query)(egl_display, int);
    unsigned (GL_CALL *initialize)(egl_display, int *, int *);
    unsigned (GL_CALL *bind_api)(unsigned);
    unsigned (GL_CALL *choose)(egl_display, const int *, egl_config *, int, int *);
    egl_context (GL_CALL *create)(egl_display, egl_config, egl_context, const int *);
    unsigned (GL_CALL *destroy)(egl_display, egl_context);
    unsigned (GL_CALL *make_current)(egl_display, void *, void *, egl_context);
    int (GL_CALL *error)(void);
} egl;

/* Functions of the current context: some libraries have different ones for each context. */
static struct {
    void (GL_CALL *get_integer)(unsigned, int *);
    const char *(GL_CALL *get_string)(unsigned);
    void (GL_CALL *pixel_store)(unsigned, int);
    void (GL_CALL *read_pixels)(int, int, int, int, unsigned, unsigned, void *);
    void (GL_CALL *bind_buffer)(unsigned, unsigned);
    void (GL_CALL *gen_framebuffers)(int, unsigned *);
    void (GL_CALL *bind_framebuffer)(unsigned, unsigned);
    void (GL_CALL *gen_renderbuffers)(int, unsigned *);
    void (GL_CALL *bind_renderbuffer)(unsigned, unsigned);
    void (GL_CALL *storage)(unsigned, unsigned, int, int);
    void (GL_CALL *attach)(unsigned, unsigned, unsigned, unsigned);
    unsigned (GL_CALL *status)(unsigned);
} gl;

static const char *const gl_names[] = {
    "glGetIntegerv",      "glGetString",             "glPixelStorei",
    "glReadPixels",       "glBindBuffer",            "glGenFramebuffers",
    "glBindFramebuffer",  "glGenRenderbuffers",      "glBindRenderbuffer",
    "glRenderbufferStorage", "glFramebufferRenderbuffer", "glCheckFramebufferStatus",
};

/* The core's context, and the request for it. A core may make another request while it runs. */
static struct {
    egl_display display;
    egl_context context;
    struct abi_hw_render request;
    unsigned api, framebuffer, color, depth, width, height;
    bool needs_reset, was_reset, is_old_es;
    struct lh_buffer raw, picture;
} card;

/* ---- failures ---- */

static bool refuse(const char *format, const char *what, int number) {
    snprintf(lh.hw_error, sizeof lh.hw_error, format, what, number);
    return false;
}

/* ---- EGL ---- */

static bool load_egl(void) {
    if (egl.library)
        return true;
    void *library = lh_open_library("libEGL.so.1");
    if (!library)
        return refuse("there is no EGL (%s); on Debian, install libegl1 and libgl1-mesa-dri",
                      lh_loader_error(), 0);
    static const char *const names[] = {
        "eglGetProcAddress", "eglQueryString",   "eglInitialize",     "eglBindAPI",     "eglChooseConfig",
        "eglCreateContext",  "eglDestroyContext", "eglMakeCurrent",   "eglGetError",
    };
    enum { COUNT = sizeof names / sizeof *names };
    void *found[COUNT];
    _Static_assert(sizeof egl == sizeof found + sizeof library, "one name for each function");
    for (int i = 0; i < COUNT; i++)
        if (!(found[i] = lh_find_symbol(library, names[i])))
            return refuse("its EGL has no %s; on Debian, install libegl1", names[i], 0);
    memcpy((uint8_t *)&egl + sizeof library, found, sizeof found);
    egl.library = library;
    return true;
}

static egl_display begin(egl_display display) {
    return display && egl.initialize(display, NULL, NULL) ? display : NULL;
}

/* The display is never terminated, because another shim of this process may use it. */
static egl_display open_display(void) {
    egl_display (GL_CALL *of_platform)(unsigned, void *, const int *);
    unsigned (GL_CALL *list_devices)(int, egl_device *, int *);
    const char *extensions = egl.query(NULL, EXTENSIONS);
    *(void **)&of_platform = egl.proc("eglGetPlatformDisplayEXT");
    *(void **)&list_devices = egl.proc("eglQueryDevicesEXT");
    if (!extensions || !of_platform)
        return NULL;
    egl_display found = NULL;
    if (strstr(extensions, "EGL_MESA_platform_surfaceless"))
        found = begin(of_platform(PLATFORM_SURFACELESS, NULL, NULL));
    egl_device devices[MOST_DEVICES];
    int count = 0;
    if (!found && list_devices && strstr(extensions, "EGL_EXT_platform_device"))
        list_devices(MOST_DEVICES, devices, &count);
    for (int i = 0; !found && i < count; i++)
        found = begin(of_platform(PLATFORM_DEVICE, devices[i], NULL));
    return found;
}

static bool is_es(unsigned type) {
    return type == HW_OPENGL_ES2 || type == HW_OPENGL_ES3 || type == HW_OPENGL_ES_VERSION;
}

/* The attributes of the context; only for two types does the version that a request names count. */
static void describe_context(const struct abi_hw_render *request, int *out) {
    int major = (int)request->version_major, minor = (int)request->version_minor;
    switch (request->context_type) {
    case HW_OPENGL: major = 0; break;
    case HW_OPENGL_ES2: major = 2, minor = 0; break;
    case HW_OPENGL_ES3: major = 3, minor = 0; break;
    default: break;
    }
    if (major) {
        *out++ = CONTEXT_MAJOR, *out++ = major;
        *out++ = CONTEXT_MINOR, *out++ = minor;
    }
    if (request->context_type == HW_OPENGL_CORE && (major > 3 || (major == 3 && minor >= 2)))
        *out++ = PROFILE, *out++ = PROFILE_CORE;
    *out = END_OF_LIST;
}

static bool make_current(egl_context context) {
    egl.bind_api(card.api);
    return egl.make_current(card.display, NULL, NULL, context);
}

static bool find_functions(void) {
    enum { COUNT = sizeof gl_names / sizeof *gl_names };
    void *found[COUNT];
    _Static_assert(sizeof gl == sizeof found, "one name for each function");
    for (int i = 0; i < COUNT; i++)
        if (!(found[i] = egl.proc(gl_names[i])))
            return refuse("its OpenGL has no %s; on Debian, install libgl1-mesa-dri", gl_names[i], 0);
    memcpy(&gl, found, sizeof found);
    const char *version = gl.get_string(VERSION_TEXT);
    card.is_old_es = version && !strncmp(version, "OpenGL ES 2", 11);
    return true;
}

static bool make_context(const struct abi_hw_render *request) {
    bool es = is_es(request->context_type);
    const int wishes[] = {SURFACE_TYPE, 0, RENDERABLE, es ? RENDERABLE_ES2 : RENDERABLE_GL, END_OF_LIST};
    int attributes[8], count = 0;
    egl_config config = NULL;
    if (!load_egl())
        return false;
    if (!card.display && !(card.display = open_display()))
        return refuse("EGL finds nothing to draw with%s; on Debian, install libgl1-mesa-dri", "", 0);
    card.api = es ? API_ES : API_GL;
    describe_context(request, attributes);
    if (egl.bind_api(card.api) && egl.choose(card.display, wishes, &config, 1, &count) && count)
        card.context = egl.create(card.display, config, NULL, attributes);
    if (!card.context)
        return refuse("the driver makes no such context%s (EGL error 0x%04X)", "", egl.error());
    return make_current(card.context)
               ? find_functions()
               : refuse("the driver draws only on windows%s (EGL error 0x%04X)", "", egl.error());
}

/* ---- the frame buffer ---- */

static uintptr_t current_framebuffer(void) { return card.framebuffer; }
static void *proc_address(const char *name) { return egl.proc(name); }

static unsigned bound(unsigned name) {
    int value = 0;
    gl.get_integer(name, &value);
    return (unsigned)value;
}

/* Makes the frame buffer at least as large as the core's largest picture. */
static bool fit_framebuffer(void) {
    const struct abi_geometry *size = &lh.av.geometry;
    unsigned width = size->max_width > size->base_width ? size->max_width : size->base_width;
    unsigned height = size->max_height > size->base_height ? size->max_height : size->base_height;
    if (card.framebuffer && width <= card.width && height <= card.height)
        return true;
    unsigned most = bound(MAX_RENDERBUFFER);
    bool fits = width && height && width <= most && height <= most;
    if (!fits || (lh.picture_limit && (uint64_t)width * height > lh.picture_limit)) {
        lh.code = lh_fail(LH_ABSURD, "pictures of up to %u x %u pixels", width, height);
        return false;
    }
    unsigned framebuffer = bound(FRAMEBUFFER_BOUND), renderbuffer = bound(RENDERBUFFER_BOUND);
    if (!card.framebuffer) {
        gl.gen_framebuffers(1, &card.framebuffer);
        gl.gen_renderbuffers(1, &card.color);
        gl.gen_renderbuffers(1, &card.depth);
    }
    gl.bind_framebuffer(FRAMEBUFFER, card.framebuffer);
    gl.bind_renderbuffer(RENDERBUFFER, card.color);
    gl.storage(RENDERBUFFER, RGBA8, (int)width, (int)height);
    gl.attach(FRAMEBUFFER, COLOR, RENDERBUFFER, card.color);
    if (card.request.depth) {
        gl.bind_renderbuffer(RENDERBUFFER, card.depth);
        gl.storage(RENDERBUFFER, DEPTH24_STENCIL8, (int)width, (int)height);
        gl.attach(FRAMEBUFFER, DEPTH, RENDERBUFFER, card.depth);
        if (card.request.stencil)
            gl.attach(FRAMEBUFFER, STENCIL, RENDERBUFFER, card.depth);
    }
    if (gl.status(FRAMEBUFFER) != COMPLETE)
        lh.code = lh_fail(LH_ABSURD, "a frame buffer of %u x %u pixels", width, height);
    gl.bind_framebuffer(FRAMEBUFFER, framebuffer);
    gl.bind_renderbuffer(RENDERBUFFER, renderbuffer);
    card.width = width, card.height = height;
    return lh.code == LH_OK;
}

/* ---- functions for the callbacks and calls of the shim ---- */

void lh_gl_destroy(void) {
    if (card.was_reset && card.request.context_destroy)
        lh_guarded(card.request.context_destroy);
    card.was_reset = card.needs_reset = false;
}

static void forget_context(void) {
    if (!card.context)
        return;
    make_current(NULL);
    egl.destroy(card.display, card.context);
    card.context = NULL;
    card.framebuffer = card.width = card.height = 0;
}

static bool is_same_context(const struct abi_hw_render *one, const struct abi_hw_render *other) {
    return one->context_type == other->context_type && one->depth == other->depth &&
           one->version_major == other->version_major && one->stencil == other->stencil &&
           one->version_minor == other->version_minor;
}

/* A core may ask for the same context again while it draws (melonDS does, in its first frame): then the
 * context and its contents stay. A different request makes a new context, which context_reset announces
 * to the core. */
bool lh_gl_request(struct abi_hw_render *request) {
    unsigned type = request->context_type;
    bool known = type == HW_OPENGL || type == HW_OPENGL_CORE || is_es(type);
    bool keep = card.context && is_same_context(request, &card.request);
    if (!keep) {
        lh_gl_destroy();
        forget_context();
    }
    lh.hw_render = (int)type;
    if (type != HW_NONE && !known)
        return refuse("this host has OpenGL alone%s", "", 0);
    if (type != HW_NONE && !keep && !make_context(request)) {
        forget_context();
        return false;
    }
    lh.hw_render = 0;
    request->get_current_framebuffer = current_framebuffer;
    request->get_proc_address = proc_address;
    card.needs_reset = card.needs_reset || (type != HW_NONE && !keep);
    card.request = *request;
    return true;
}

/* Between lh_gl_enter and lh_gl_leave the core may draw. A context belongs to one thread at a time, but
 * one thread may open a game and another thread play it. */
void lh_gl_enter(void) {
    if (card.context)
        make_current(card.context);
}

void lh_gl_leave(void) {
    if (card.context)
        make_current(NULL);
}

/* To be called after a call of the core: announces the context that the core asked for meanwhile. */
void lh_gl_settle(void) {
    if (!card.needs_reset || !fit_framebuffer())
        return;
    card.needs_reset = false;
    card.was_reset = true;
    if (card.request.context_reset)
        lh_guarded(card.request.context_reset);
}

void lh_gl_resize(void) {
    if (card.was_reset)
        fit_framebuffer();
}

void lh_gl_close(void) {
    forget_context();
    memset(&card.request, 0, sizeof card.request);
    lh_release(&card.raw);
    lh_release(&card.picture);
}

/* Reads the pixels, and restores all bindings, because the core may have bound its own buffers. */
static void read_raw(unsigned width, unsigned height) {
    enum { STORES = 4 };
    unsigned first = card.is_old_es ? PACK_ALIGNMENT : PACK_ROW_LENGTH;
    unsigned target = card.is_old_es ? FRAMEBUFFER : READ_FRAMEBUFFER, pack = 0;
    unsigned framebuffer = bound(card.is_old_es ? FRAMEBUFFER_BOUND : READ_FRAMEBUFFER_BOUND);
    int stores[STORES];
    for (unsigned i = first; i <= PACK_ALIGNMENT; i++) {
        gl.get_integer(i, &stores[i - PACK_ROW_LENGTH]);
        gl.pixel_store(i, i == PACK_ALIGNMENT ? 4 : 0);
    }
    if (!card.is_old_es && (pack = bound(PIXEL_PACK_BOUND)))
        gl.bind_buffer(PIXEL_PACK_BUFFER, 0);
    gl.bind_framebuffer(target, card.framebuffer);
    gl.read_pixels(0, 0, (int)width, (int)height, RGBA, BYTES, card.raw.data);
    gl.bind_framebuffer(target, framebuffer);
    if (pack)
        gl.bind_buffer(PIXEL_PACK_BUFFER, pack);
    for (unsigned i = first; i <= PACK_ALIGNMENT; i++)
        gl.pixel_store(i, stores[i - PACK_ROW_LENGTH]);
}

const void *lh_gl_read(unsigned width, unsigned height) {
    size_t bytes = (size_t)width * height * 4;
    if (!card.was_reset || width > card.width || height > card.height) {
        lh.code = lh_fail(LH_ABSURD, "a picture of %u x %u pixels in a frame buffer of %u x %u", width,
                          height, card.width, card.height);
        return NULL;
    }
    if (!lh_reserve(&card.raw, bytes) || !lh_reserve(&card.picture, bytes))
        return NULL;
    read_raw(width, height);
    uint32_t *to = (uint32_t *)card.picture.data;
    for (unsigned y = 0; y < height; y++, to += width) {
        unsigned row = card.request.bottom_left_origin ? height - 1 - y : y;
        const uint8_t *from = card.raw.data + (size_t)row * width * 4;
        for (unsigned x = 0; x < width; x++)
            to[x] = (uint32_t)from[4 * x] << 16 | (uint32_t)from[4 * x + 1] << 8 | from[4 * x + 2];
    }
    return card.picture.data;
}
