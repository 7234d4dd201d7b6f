/* gltoy: a small libretro core that draws with OpenGL, for tests. It links no OpenGL: all functions come
 * from the host. Its content is a text file of "key=number" lines:
 *
 *   type=3 major=3 minor=2    the context it asks for, as libretro counts them (1 OpenGL, 2 ES 2, 3 core,
 *                             4 ES 3, 5 ES of that version, 6 Vulkan)
 *   depth=1 stencil=1         wants these buffers
 *   bottom=1                  draws from the bottom row upwards
 *   soft=0                    1: goes on without a picture when refused
 *   width=64 height=48        size of the picture
 *   resize_at=N width2=96 height2=80   another size from frame N on, within the announced maximum;
 *   grow_at=N                 the same, but announced on frame N alone (SET_SYSTEM_AV_INFO)
 *   again_at=N                asks again for its context on frame N; again_minor=M: of another version
 *   dupe_every=K              every K-th frame passes NULL
 *   pack=1                    leaves a pixel pack buffer and odd pixel stores bound
 *   throws=1                  throws a C++ exception in context_reset
 *   state=1                   0: it has no states; 2: it crashes when one is saved
 *   ram=64                    0: it shows no memory
 *
 * The picture: the lower half is 8 * frame red, the upper half blue; a green square in the lower left
 * corner, a quarter wide and high. With depth, a white square that lies behind the green one is hidden
 * there, and seen right of it; with stencil, yellow fills the lower right corner alone.
 *
 * RAM after a frame: u32 LE frames run; 4 contexts that were reset; 5 contexts that were destroyed;
 * 6 1 when OpenGL answered in the last state that was loaded; 7 the same for a reset; 8 the mask of
 * port 0 (u16); 10 1 when the host refused a context; 11 GL errors seen in the last frame.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim_abi.h"

#define EXPORT __attribute__((visibility("default")))

enum { RAM_BYTES = 64, RESETS = 4, DESTROYS = 5, GL_IN_STATE = 6, GL_IN_RESET = 7, MASK = 8, REFUSED = 10,
       ERRORS = 11 };
enum { K_TYPE, K_MAJOR, K_MINOR, K_DEPTH, K_STENCIL, K_BOTTOM, K_SOFT, K_WIDTH, K_HEIGHT, K_RESIZE_AT,
       K_WIDTH2, K_HEIGHT2, K_GROW_AT, K_AGAIN_AT, K_AGAIN_MINOR, K_DUPE_EVERY, K_PACK, K_THROWS,
       K_STATE, K_RAM, K_COUNT };
static const char *const key_names[K_COUNT] = {
    "type",   "major",  "minor",   "depth",   "stencil",  "bottom",      "soft",       "width", "height",
    "resize_at", "width2", "height2", "grow_at", "again_at", "again_minor", "dupe_every", "pack",  "throws",
    "state",  "ram"};
static const unsigned key_defaults[K_COUNT] = {[K_TYPE] = 3,    [K_MAJOR] = 3,   [K_MINOR] = 2,
                                               [K_DEPTH] = 1,   [K_STENCIL] = 1, [K_BOTTOM] = 1,
                                               [K_WIDTH] = 64,  [K_HEIGHT] = 48, [K_WIDTH2] = 96,
                                               [K_HEIGHT2] = 80,
                                               [K_STATE] = 1,   [K_RAM] = RAM_BYTES};
static unsigned key[K_COUNT];

static abi_environment_fn environment;
static abi_video_fn video;
static abi_input_state_fn input_state;
static uint8_t ram[RAM_BYTES];
static struct abi_hw_render request;

/* ---- OpenGL, by the numbers of its registry ---- */

enum { GL_DEPTH_TEST = 0x0B71, GL_STENCIL_TEST = 0x0B90, GL_SCISSOR_TEST = 0x0C11, GL_LESS = 0x0201,
       GL_EQUAL = 0x0202, GL_ALWAYS = 0x0207, GL_KEEP = 0x1E00, GL_REPLACE = 0x1E01 };
enum { GL_FRAMEBUFFER = 0x8D40, GL_ARRAY_BUFFER = 0x8892, GL_STREAM_DRAW = 0x88E0, GL_FLOAT = 0x1406,
       GL_TRIANGLE_STRIP = 5, GL_VERTEX_SHADER = 0x8B31, GL_FRAGMENT_SHADER = 0x8B30 };
enum { GL_ALL_BUFFERS = 0x4000 | 0x100 | 0x400, GL_PACK_ROW_LENGTH = 0x0D02, GL_MAX_TEXTURE_SIZE = 0x0D33,
       GL_PIXEL_PACK_BUFFER = 0x88EB };

static struct {
    void (*Viewport)(int, int, int, int);
    void (*ClearColor)(float, float, float, float);
    void (*Clear)(unsigned);
    void (*Enable)(unsigned);
    void (*Disable)(unsigned);
    void (*DepthFunc)(unsigned);
    void (*StencilFunc)(unsigned, int, unsigned);
    void (*StencilOp)(unsigned, unsigned, unsigned);
    void (*ColorMask)(uint8_t, uint8_t, uint8_t, uint8_t);
    void (*BindFramebuffer)(unsigned, unsigned);
    unsigned (*CreateShader)(unsigned);
    void (*ShaderSource)(unsigned, int, const char *const *, const int *);
    void (*CompileShader)(unsigned);
    unsigned (*CreateProgram)(void);
    void (*AttachShader)(unsigned, unsigned);
    void (*LinkProgram)(unsigned);
    void (*UseProgram)(unsigned);
    int (*GetAttribLocation)(unsigned, const char *);
    int (*GetUniformLocation)(unsigned, const char *);
    void (*Uniform4f)(int, float, float, float, float);
    void (*GenBuffers)(int, unsigned *);
    void (*BindBuffer)(unsigned, unsigned);
    void (*BufferData)(unsigned, intptr_t, const void *, unsigned);
    void (*VertexAttribPointer)(unsigned, int, unsigned, uint8_t, int, const void *);
    void (*EnableVertexAttribArray)(unsigned);
    void (*DrawArrays)(unsigned, int, int);
    void (*GetIntegerv)(unsigned, int *);
    void (*PixelStorei)(unsigned, int);
    unsigned (*GetError)(void);
    void (*GenVertexArrays)(int, unsigned *);
    void (*BindVertexArray)(unsigned);
} gl;
static const char *const functions[] = {
    "glViewport",        "glClearColor",        "glClear",      "glEnable",      "glDisable",
    "glDepthFunc",       "glStencilFunc",       "glStencilOp",  "glColorMask",   "glBindFramebuffer",
    "glCreateShader",    "glShaderSource",      "glCompileShader", "glCreateProgram", "glAttachShader",
    "glLinkProgram",     "glUseProgram",        "glGetAttribLocation", "glGetUniformLocation",
    "glUniform4f",       "glGenBuffers",        "glBindBuffer", "glBufferData",  "glVertexAttribPointer",
    "glEnableVertexAttribArray", "glDrawArrays", "glGetIntegerv", "glPixelStorei", "glGetError",
    "glGenVertexArrays", "glBindVertexArray",
};

static unsigned program, vertices, pack_buffer;
static int color_place;

static void compile(unsigned kind, const char *source) {
    unsigned shader = gl.CreateShader(kind);
    gl.ShaderSource(shader, 1, &source, NULL);
    gl.CompileShader(shader);
    gl.AttachShader(program, shader);
}

extern void throw_runtime_error(const char *) __asm__("_ZSt21__throw_runtime_errorPKc");

static void on_context_reset(void) {
    void *found[sizeof functions / sizeof *functions];
    _Static_assert(sizeof found == sizeof gl, "one name for each function");
    if (key[K_THROWS])
        throw_runtime_error("gltoy is out of sorts");
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        found[i] = request.get_proc_address(functions[i]);
    memcpy(&gl, found, sizeof gl);
    ram[RESETS]++;
    bool core = key[K_TYPE] == HW_OPENGL_CORE;
    program = gl.CreateProgram();
    compile(GL_VERTEX_SHADER, core ? "#version 150\nin vec3 at; void main() { gl_Position = vec4(at, 1.0); }"
                                   : "attribute vec3 at; void main() { gl_Position = vec4(at, 1.0); }");
    compile(GL_FRAGMENT_SHADER,
            core ? "#version 150\nuniform vec4 color; out vec4 seen; void main() { seen = color; }"
                 : "#ifdef GL_ES\nprecision mediump float;\n#endif\n"
                   "uniform vec4 color; void main() { gl_FragColor = color; }");
    gl.LinkProgram(program);
    color_place = gl.GetUniformLocation(program, "color");
    if (core) {
        unsigned array;
        gl.GenVertexArrays(1, &array);
        gl.BindVertexArray(array);
    }
    gl.GenBuffers(1, &vertices);
    gl.GenBuffers(1, &pack_buffer);
}

static void on_context_destroy(void) { ram[DESTROYS]++; }

static bool gl_answers(void) {
    int most = 0;
    if (gl.GetIntegerv)
        gl.GetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    return most > 0;
}

static bool ask_for_context(unsigned minor) {
    request = (struct abi_hw_render){.context_type = key[K_TYPE],
                                     .context_reset = on_context_reset,
                                     .context_destroy = on_context_destroy,
                                     .depth = key[K_DEPTH],
                                     .stencil = key[K_STENCIL],
                                     .bottom_left_origin = key[K_BOTTOM],
                                     .version_major = key[K_MAJOR],
                                     .version_minor = minor};
    bool given = environment(ENV_SET_HW_RENDER, &request);
    ram[REFUSED] = !given;
    return given;
}

/* ---- the picture ---- */

static unsigned frames(void) { return ram[0] | ram[1] << 8 | ram[2] << 16; }
static bool is_after(int which) { return key[which] && frames() >= key[which]; }
static bool other_size(void) { return is_after(K_RESIZE_AT) || is_after(K_GROW_AT); }
static unsigned width(void) { return key[other_size() ? K_WIDTH2 : K_WIDTH]; }
static unsigned height(void) { return key[other_size() ? K_HEIGHT2 : K_HEIGHT]; }

/* A rectangle, in parts of the picture from its lower left corner; z from -1 (near) to 1. */
static void paint(float left, float low, float right, float top, float z, unsigned rgb) {
    float sign = key[K_BOTTOM] ? 2 : -2, base = key[K_BOTTOM] ? -1 : 1;
    float at[4][3] = {{left * 2 - 1, low * sign + base, z},
                      {right * 2 - 1, low * sign + base, z},
                      {left * 2 - 1, top * sign + base, z},
                      {right * 2 - 1, top * sign + base, z}};
    unsigned place = (unsigned)gl.GetAttribLocation(program, "at");
    gl.UseProgram(program);
    gl.Uniform4f(color_place, (float)(rgb >> 16 & 255) / 255, (float)(rgb >> 8 & 255) / 255,
                 (float)(rgb & 255) / 255, 0.5f);
    gl.BindBuffer(GL_ARRAY_BUFFER, vertices);
    gl.BufferData(GL_ARRAY_BUFFER, sizeof at, at, GL_STREAM_DRAW);
    gl.VertexAttribPointer(place, 3, GL_FLOAT, 0, 0, NULL);
    gl.EnableVertexAttribArray(place);
    gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void draw(void) {
    unsigned red = frames() * 8 % 256;
    gl.BindFramebuffer(GL_FRAMEBUFFER, (unsigned)request.get_current_framebuffer());
    gl.Viewport(0, 0, (int)width(), (int)height());
    gl.Disable(GL_STENCIL_TEST);
    gl.Disable(GL_DEPTH_TEST);
    gl.ClearColor(0, 0, 0, 0);
    gl.Clear(GL_ALL_BUFFERS);
    paint(0, 0, 1, 0.5f, 0.9f, red << 16);
    paint(0, 0.5f, 1, 1, 0.9f, 0x0000FF);
    gl.Enable(GL_DEPTH_TEST);
    gl.DepthFunc(GL_LESS);
    paint(0, 0, 0.25f, 0.25f, 0, 0x00FF00);
    paint(0, 0, 0.5f, 0.25f, 0.5f, 0xFFFFFF);
    gl.Disable(GL_DEPTH_TEST);
    gl.Enable(GL_STENCIL_TEST);
    gl.ColorMask(0, 0, 0, 0);
    gl.StencilFunc(GL_ALWAYS, 1, 255);
    gl.StencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    paint(0.75f, 0, 1, 0.25f, 0, 0);
    gl.ColorMask(1, 1, 1, 1);
    gl.StencilFunc(GL_EQUAL, 1, 255);
    gl.StencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    paint(0.5f, 0, 1, 1, 0, 0xFFFF00);
    if (key[K_PACK]) {
        gl.BindBuffer(GL_PIXEL_PACK_BUFFER, pack_buffer);
        gl.PixelStorei(GL_PACK_ROW_LENGTH, 7);
    }
    gl.BindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Adds an error when the host has changed the state in which it found OpenGL. */
static void look_for_errors(void) {
    int left = 7;
    if (key[K_PACK])
        gl.GetIntegerv(GL_PACK_ROW_LENGTH, &left);
    ram[ERRORS] = (uint8_t)((gl.GetError() != 0) + (left != 7));
}

/* ---- entry points ---- */

EXPORT unsigned retro_api_version(void) { return 1; }
EXPORT void retro_set_environment(abi_environment_fn fn) { environment = fn; }
EXPORT void retro_set_video_refresh(abi_video_fn fn) { video = fn; }
EXPORT void retro_set_audio_sample(abi_audio_fn fn) { (void)fn; }
EXPORT void retro_set_audio_sample_batch(abi_audio_batch_fn fn) { (void)fn; }
EXPORT void retro_set_input_poll(abi_input_poll_fn fn) { (void)fn; }
EXPORT void retro_set_input_state(abi_input_state_fn fn) { input_state = fn; }
EXPORT void retro_init(void) {}
EXPORT void retro_deinit(void) {}
EXPORT void retro_set_controller_port_device(unsigned port, unsigned device) { (void)port, (void)device; }

EXPORT void retro_get_system_info(struct abi_system_info *info) {
    *info = (struct abi_system_info){"gltoy", "1.0", "gltoy", false, false};
}

EXPORT void retro_get_system_av_info(struct abi_av_info *info) {
    bool both = key[K_RESIZE_AT] || is_after(K_GROW_AT);
    unsigned wide = both && key[K_WIDTH2] > key[K_WIDTH] ? key[K_WIDTH2] : key[K_WIDTH];
    unsigned high = both && key[K_HEIGHT2] > key[K_HEIGHT] ? key[K_HEIGHT2] : key[K_HEIGHT];
    info->geometry = (struct abi_geometry){width(), height(), wide, high, 0};
    info->timing = (struct abi_timing){60, 44100};
}

static bool parse(const char *text) {
    memcpy(key, key_defaults, sizeof key);
    for (char name[32], sign; *text; text += strcspn(text, "\n"), text += *text == '\n') {
        unsigned value, which = 0;
        if (sscanf(text, "%31[a-z_0-9]%c%u", name, &sign, &value) != 3 || sign != '=')
            return false;
        while (which < K_COUNT && strcmp(name, key_names[which]))
            which++;
        if (which == K_COUNT)
            return false;
        key[which] = value;
    }
    return true;
}

static const struct abi_input_descriptor inputs[] = {
    {0, ABI_DEVICE_JOYPAD, 0, 4, "D-Pad Up"},   {0, ABI_DEVICE_JOYPAD, 0, 5, "D-Pad Down"},
    {0, ABI_DEVICE_JOYPAD, 0, 6, "D-Pad Left"}, {0, ABI_DEVICE_JOYPAD, 0, 7, "D-Pad Right"},
    {0, ABI_DEVICE_JOYPAD, 0, 0, "Jump"},       {0, ABI_DEVICE_JOYPAD, 0, 8, "Fire / Use"},
    {0, ABI_DEVICE_JOYPAD, 0, 9, "Jump"},       {0, ABI_DEVICE_JOYPAD, 0, 3, "Start"},
    {0, ABI_DEVICE_JOYPAD, 0, 10, "Turbo Jump"},
    {0, ABI_DEVICE_ANALOG, 0, 0, "Steer"},      {1, ABI_DEVICE_JOYPAD, 0, 8, "Join"},
    {0, 0, 0, 0, NULL}};

EXPORT bool retro_load_game(const struct abi_game_info *game) {
    char text[1024];
    int format = 1;
    memset(ram, 0, sizeof ram);
    memset(&gl, 0, sizeof gl);
    snprintf(text, sizeof text, "%.*s", (int)game->size, (const char *)game->data);
    environment(ENV_SET_INPUT_DESCRIPTORS, (void *)inputs);
    return parse(text) && environment(ENV_SET_PIXEL_FORMAT, &format) &&
           (ask_for_context(key[K_MINOR]) || key[K_SOFT]);
}

EXPORT void retro_unload_game(void) {
    if (gl.GetIntegerv)
        gl_answers(); /* a core may still call OpenGL here */
}

EXPORT void retro_reset(void) { ram[GL_IN_RESET] = gl_answers(); }

EXPORT void retro_run(void) {
    unsigned mask = (uint16_t)input_state(0, ABI_DEVICE_JOYPAD, 0, ABI_JOYPAD_MASK), next = frames() + 1;
    for (int i = 0; i < 3; i++)
        ram[i] = (uint8_t)(next >> 8 * i);
    ram[MASK] = (uint8_t)mask, ram[MASK + 1] = (uint8_t)(mask >> 8);
    if (key[K_GROW_AT] && next == key[K_GROW_AT]) {
        struct abi_av_info info;
        retro_get_system_av_info(&info);
        environment(ENV_SET_SYSTEM_AV_INFO, &info);
    }
    if (key[K_AGAIN_AT] && next == key[K_AGAIN_AT])
        ask_for_context(key[K_AGAIN_MINOR] ? key[K_AGAIN_MINOR] : key[K_MINOR]);
    bool lost = ram[REFUSED] || ram[RESETS] == ram[DESTROYS];
    if (lost || (key[K_DUPE_EVERY] && next % key[K_DUPE_EVERY] == 0)) {
        video(NULL, width(), height(), 0);
        return;
    }
    draw();
    video((void *)-1, width(), height(), 0);
    look_for_errors();
}

EXPORT size_t retro_serialize_size(void) { return key[K_STATE] ? 4 : 0; }
EXPORT bool retro_serialize(void *data, size_t size) {
    volatile int *volatile nowhere = NULL;
    if (key[K_STATE] == 2)
        *nowhere = 1;
    ram[GL_IN_STATE] = gl_answers();
    memcpy(data, ram, size < 4 ? size : 4);
    return size >= 4;
}
EXPORT bool retro_unserialize(const void *data, size_t size) {
    memcpy(ram, data, size < 4 ? size : 4);
    ram[GL_IN_STATE] = gl_answers();
    return size >= 4;
}

EXPORT void *retro_get_memory_data(unsigned id) { return id == ABI_MEMORY_SYSTEM_RAM ? ram : NULL; }
EXPORT size_t retro_get_memory_size(unsigned id) { return id == ABI_MEMORY_SYSTEM_RAM ? key[K_RAM] : 0; }
EXPORT unsigned retro_get_region(void) { return 0; }
EXPORT void retro_cheat_reset(void) {}
EXPORT void retro_cheat_set(unsigned index, bool enabled, const char *code) {
    (void)index, (void)enabled, (void)code;
}
EXPORT bool retro_load_game_special(unsigned type, const struct abi_game_info *games, size_t n) {
    (void)type, (void)games, (void)n;
    return false;
}
