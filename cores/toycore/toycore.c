/* toycore: a small deterministic libretro core for tests. Its content is a text file of
 * "key=value" lines ("#" starts a comment; unknown keys are errors, and the content is refused):
 *
 *   ram=4096            bytes of RAM, at least 64
 *   seed=1              first value of the random generator
 *   memory=system       system: SYSTEM_RAM; maps: halves at 0x1000 and 0x8000, between a constant
 *                       descriptor, one without memory and an alias of the first; overlap: the
 *                       second begins 16 bytes before the first ends; select: one at 0x7E0000
 *                       whose length only the select mask tells (needs ram=131072); none
 *   format=rgb565       or 0rgb1555 (never announced: it is the default), xrgb8888
 *   width=160 height=120, pitch_extra=0 (bytes after each row, filled with 0xEE)
 *   resize_at=N width2=W height2=H   other picture size from frame N on (SET_GEOMETRY)
 *   av_at=N             SET_SYSTEM_AV_INFO with 50 frames a second on frame N
 *   rotate=0..3         SET_ROTATION
 *   dupe_every=K        every K-th frame passes NULL; dupe_unasked=1: without GET_CAN_DUPE
 *   audio=batch         batch, single or none; 735 samples a frame
 *   options=2           how core options are declared: none, 0, 1, 1i, 2, 2i (i: _INTL variants)
 *   state_grow=K        the state grows by 16 bytes every K frames; state=0: no states
 *   log_every=N         a printf-style log line each N frames; message_at=N: SET_MESSAGE
 *   stdout=1            prints a line to standard output at load
 *   hw=1                asks for Vulkan, and gives up when refused; hw=2: goes on in software
 *   refuse=1            load_game answers false
 *   fps=60 fps2=50 rate=44100 aspect=1.333333333    what SYSTEM_AV_INFO announces: any number
 *                       that strtod reads, nan and inf too; fps2 is for av_at
 *   base=WxH max=WxH    sizes that it announces instead of the true ones
 *   draws=WxHxPITCH     what the video callback is told instead of the truth, from draws_at=N on
 *   state_says=BYTES    size of a state that serialize_size answers instead of the truth
 *   throws=WHERE        std::runtime_error in run, reset, serialize, unserialize (of a refused
 *                       state), load, unload; throws=thing: something else than an exception, in run
 *   move_at=N           on frame N the RAM moves and new memory maps say so
 *   layout_at=N         on frame N other memory maps are announced
 *   axes=1              RAM 32-47, 8 x i16 LE: x and y of the left stick and the trigger L2 of port
 *                       0; x, y and press of the pointer; x of the mouse and trigger of the light
 *                       gun of port 1
 *   discs=N             a drive with N discs, which states leave out: RAM 48 tells an open tray, 49
 *                       the disc in it
 *   crash_at=N hang_at=N exit_at=N shutdown_at=N    on frame N: SIGSEGV, endless wait, exit(3),
 *                       ENVIRONMENT_SHUTDOWN
 *   crash_mask=M hang_mask=M exit_mask=M   the same when port 0's mask equals M, but an endless loop
 *   fork_at=N           on frame N a child process is started that never ends
 *   hog_at=N            on frame N memory is filled until there is no more; then RAM 28 is 1
 *   lag_every=N         on every N-th frame it asks for no button, and goes on with the last ones
 *   hidden=1            states leave out a count of the frames with A, which shades the picture;
 *                       hidden=2: RAM 29 is that count, too; hidden=3: RAM 29 is that count, and
 *                       only that is left out, as save chips are; hidden=4: on every 500th frame a
 *                       timer of 20 frames starts that states leave out, and RAM 29 counts its ends;
 *                       hidden=5: row 1 is a count of the frame that was drawn before;
 *                       hidden=6: row 1 of the first picture after a state is black
 *   flood_at=N          on frame N a file "flood" in the save directory is filled until it cannot
 *                       grow any more; then RAM 29 is 1
 *
 * Its subsystem "pair" takes such a file, a text that it opens itself, and a third that may be missing.
 *
 * RAM after a frame (LE/BE: byte order):
 *   0   u32 LE frames run             4  4 x u16 LE masks of ports 0-3
 *   12  u32 LE random = random * 1664525 + 1013904223
 *   16  u32 BE score: += speed while A (bit 8) is held on port 0
 *   20  BCD lives: 3, minus one when SELECT (bit 2) goes down      21  resets
 *   22  speed: 0, 1, 2 for the option toycore_speed = slow, normal, fast
 *   23  how an undeclared option was answered at load: 0 false and NULL, 1 false, 2 true
 *   24  u16 BE x: 80, +- speed with RIGHT/LEFT (bits 7/6), within 0-319
 *   26  devices of ports 0 and 1      28  see hog_at, flood_at; else zero
 *   30  first bytes of the second and the third file of a pair
 *   32+ byte 32 + frame % (ram - 32) is XORed with random >> 24
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include "shim_abi.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#ifndef TOYCORE_API
#define TOYCORE_API 1
#endif
#ifndef TOYCORE_HIDDEN
#define TOYCORE_HIDDEN 1
#endif
#ifndef TOYCORE_RAM
#define TOYCORE_RAM 4096
#endif
/* The size of blocks of memory that are shown in RAM from 1,024 on, as the core got them. */
#ifndef TOYCORE_UNCLEARED
#define TOYCORE_UNCLEARED 0
#endif
#ifndef TOYCORE_FULLPATH
#define TOYCORE_FULLPATH 0
#endif

#ifndef TOYCORE_SUBSYSTEMS
#define TOYCORE_SUBSYSTEMS 1
#endif

enum { SAMPLES = 735, LEFT = 6, RIGHT = 7, BUTTON_A = 8, SELECT = 2, NEVER = 0 };

struct number_key {
    const char *name;
    unsigned value;
};
enum {
    K_RAM, K_SEED, K_WIDTH, K_HEIGHT, K_PITCH_EXTRA, K_RESIZE_AT, K_WIDTH2, K_HEIGHT2, K_AV_AT,
    K_ROTATE, K_DUPE_EVERY, K_DUPE_UNASKED, K_STATE_GROW, K_STATE, K_LOG_EVERY, K_MESSAGE_AT,
    K_STDOUT, K_HW, K_REFUSE, K_MOVE_AT, K_LAYOUT_AT, K_CRASH_AT, K_HANG_AT, K_EXIT_AT,
    K_SHUTDOWN_AT, K_CRASH_MASK, K_HANG_MASK, K_EXIT_MASK, K_DRAWS_AT, K_FORK_AT, K_HOG_AT,
    K_FLOOD_AT, K_LAG_EVERY, K_AXES, K_DISCS, K_HIDDEN, K_COUNT
};
static const struct number_key defaults[K_COUNT] = {
    {"ram", TOYCORE_RAM}, {"seed", 1},         {"width", 160},     {"height", 120},
    {"pitch_extra", 0}, {"resize_at", 0},    {"width2", 320},    {"height2", 240},
    {"av_at", 0},       {"rotate", 0},       {"dupe_every", 0},  {"dupe_unasked", 0},
    {"state_grow", 0},  {"state", 1},        {"log_every", 0},   {"message_at", 0},
    {"stdout", 0},      {"hw", 0},           {"refuse", 0},      {"move_at", 0},
    {"layout_at", 0},   {"crash_at", 0},     {"hang_at", 0},     {"exit_at", 0},
    {"shutdown_at", 0}, {"crash_mask", 0},   {"hang_mask", 0},   {"exit_mask", 0},
    {"draws_at", 0},    {"fork_at", 0},      {"hog_at", 0},      {"flood_at", 0},
    {"lag_every", 0},
    {"axes", 0},        {"discs", 0},        {"hidden", 0},
};
struct word_key {
    const char *name;
    char value[48];
};
enum {
    W_MEMORY, W_FORMAT, W_AUDIO, W_OPTIONS, W_FPS, W_FPS2, W_RATE, W_ASPECT, W_BASE, W_MAX,
    W_DRAWS, W_STATE_SAYS, W_THROWS, W_COUNT
};
static const struct word_key word_defaults[W_COUNT] = {
    {"memory", "system"}, {"format", "rgb565"}, {"audio", "batch"}, {"options", "2"},
    {"fps", "60"},        {"fps2", "50"},       {"rate", "44100"},  {"aspect", "1.333333333"},
    {"base", ""},         {"max", ""},          {"draws", ""},      {"state_says", ""},
    {"throws", ""}};

static struct number_key keys[K_COUNT];
static struct word_key words[W_COUNT];
static abi_environment_fn environment;
static abi_video_fn video;
static abi_audio_fn audio;
static abi_audio_batch_fn audio_batch;
static abi_input_poll_fn input_poll;
static abi_input_state_fn input_state;
static abi_log_fn log_line;
static uint8_t *ram, *picture, rom[16];
static unsigned devices[2];
static uint8_t further[2];
static unsigned format; /* libretro's number */

static unsigned key(int which) { return keys[which].value; }
static bool word_is(int which, const char *value) { return !strcmp(words[which].value, value); }
static double number(int which) { return strtod(words[which].value, NULL); }

/* A C core throws by calling what C++ compilers call. An exception with a text takes a function that
 * only GNU's library has; elsewhere a thing is thrown instead. */
extern void *__cxa_allocate_exception(size_t);
extern void __cxa_throw(void *, void *, void *);
extern char _ZTIi[]; /* the type int */
#if defined(__linux__)
extern void throw_runtime_error(const char *) __asm__("_ZSt21__throw_runtime_errorPKc");
#else
#define throw_runtime_error(text) __cxa_throw(__cxa_allocate_exception(sizeof(int)), _ZTIi, NULL)
#endif
static void may_throw(const char *where) {
    if (word_is(W_THROWS, where))
        throw_runtime_error("toycore is out of sorts");
    if (word_is(W_THROWS, "thing") && !strcmp(where, "run"))
        __cxa_throw(__cxa_allocate_exception(sizeof(int)), _ZTIi, NULL);
}
static unsigned get16(size_t at) { return ram[at] | ram[at + 1] << 8; }
static unsigned get32(size_t at) { return get16(at) | get16(at + 2) << 16; }
static void put16(size_t at, unsigned value) {
    ram[at] = (uint8_t)value;
    ram[at + 1] = (uint8_t)(value >> 8);
}
static void put32(size_t at, unsigned value) {
    put16(at, value);
    put16(at + 2, value >> 16);
}
static void add32_be(size_t at, unsigned step) {
    unsigned value = (unsigned)ram[at] << 24 | ram[at + 1] << 16 | ram[at + 2] << 8 | ram[at + 3];
    value += step;
    for (int i = 0; i < 4; i++)
        ram[at + i] = (uint8_t)(value >> (24 - 8 * i));
}

/* ---- content ---- */

static bool set_key(const char *name, const char *value) {
    for (int i = 0; i < K_COUNT; i++)
        if (!strcmp(keys[i].name, name)) {
            keys[i].value = (unsigned)strtoul(value, NULL, 0);
            return true;
        }
    for (int i = 0; i < W_COUNT; i++)
        if (!strcmp(words[i].name, name)) {
            snprintf(words[i].value, sizeof words[i].value, "%s", value);
            return true;
        }
    return false;
}

static bool parse(const char *data, size_t size) {
    memcpy(keys, defaults, sizeof keys);
    memcpy(words, word_defaults, sizeof words);
    while (size) {
        const char *end = memchr(data, '\n', size);
        size_t length = end ? (size_t)(end - data) : size;
        char line[128];
        snprintf(line, sizeof line, "%.*s", (int)length, data);
        line[strcspn(line, "#\r")] = '\0';
        char *equals = strchr(line, '=');
        if (equals)
            *equals++ = '\0';
        if (*line && (!equals || !set_key(line, equals))) {
            log_line(3, "toycore: line \"%s\" makes no sense\n", line);
            return false;
        }
        data += end ? length + 1 : length;
        size -= end ? length + 1 : length;
    }
    return key(K_RAM) >= 64;
}

/* ---- what the core announces ---- */

static const char speed_title[] = "Speed", speed_help[] = "How fast things move.";

static void declare_v0(void) {
    static const struct abi_variable variables[] = {
        {"toycore_speed", "Speed; normal|fast|slow"}, {"toycore_tint", "Tint; off|on"}, {0}};
    environment(ENV_SET_VARIABLES, (void *)variables);
}

static void declare_v1(bool intl) {
    static struct abi_option_v1 options[] = {
        {"toycore_speed", speed_title, speed_help,
         {{"slow", "Slow"}, {"normal", NULL}, {"fast", NULL}}, "normal"},
        {"toycore_tint", "Tint", NULL, {{"off", NULL}, {"on", NULL}}, NULL},
        {0}};
    struct abi_options_v1_intl both = {options, NULL};
    environment(intl ? ENV_SET_CORE_OPTIONS_INTL : ENV_SET_CORE_OPTIONS,
                intl ? (void *)&both : options);
}

static void declare_v2(bool intl) {
    static struct abi_option_v2 options[] = {
        {"toycore_speed", speed_title, NULL, speed_help, NULL, NULL,
         {{"slow", "Slow"}, {"normal", NULL}, {"fast", NULL}}, "normal"},
        {"toycore_tint", "Tint", NULL, NULL, NULL, NULL, {{"off", NULL}, {"on", NULL}}, NULL},
        {0}};
    struct abi_options_v2 all = {NULL, options};
    struct abi_options_v2_intl both = {&all, NULL};
    environment(intl ? ENV_SET_CORE_OPTIONS_V2_INTL : ENV_SET_CORE_OPTIONS_V2,
                intl ? (void *)&both : &all);
}

static void declare_options(void) {
    const char *version = words[W_OPTIONS].value;
    if (!strcmp(version, "0"))
        declare_v0();
    else if (*version == '1')
        declare_v1(version[1] == 'i');
    else if (*version == '2')
        declare_v2(version[1] == 'i');
}

static void read_options(void) {
    struct abi_variable speed = {"toycore_speed", "left over"};
    ram[22] = 1;
    if (environment(ENV_GET_VARIABLE, &speed) && speed.value)
        ram[22] = !strcmp(speed.value, "slow") ? 0 : !strcmp(speed.value, "fast") ? 2 : 1;
}

static void ask_undeclared(void) {
    struct abi_variable unknown = {"toycore_undeclared", "left over"};
    bool answer = environment(ENV_GET_VARIABLE, &unknown);
    ram[23] = answer ? 2 : unknown.value != NULL;
}

static void announce(const struct abi_memory_descriptor *descriptors, unsigned count) {
    struct abi_memory_map map = {descriptors, count};
    environment(ENV_SET_MEMORY_MAPS, &map);
}

static void announce_memory(void) {
    size_t half = key(K_RAM) / 2, early = word_is(W_MEMORY, "overlap") ? 16 : 0;
    size_t second = early ? 0x1000 + half - early : 0x8000;
    struct abi_memory_descriptor halves[] = {
        {0, ram + half - early, 0, second, 0, 0, half + early, "second"},
        {ABI_MEMDESC_CONST, rom, 0, 0x100, 0, 0, sizeof rom, "rom"},
        {0, ram, 0, 0x1000, 0, 0, half, "first"},
        {0, NULL, 0, 0x400, 0, 0, 16, "nothing"}};
    struct abi_memory_descriptor selected = {0, ram, 0, 0x7E0000, 0xFE0000, 0, 0, "work"};
    bool blank = word_is(W_MEMORY, "blank");
    if (word_is(W_MEMORY, "maps") || early || blank)
        announce(halves, blank ? 4 : 3);
    else if (word_is(W_MEMORY, "select"))
        announce(&selected, 1);
}

static bool announce_picture(void) {
    int number = word_is(W_FORMAT, "xrgb8888") ? 1 : word_is(W_FORMAT, "rgb565") ? 2 : 0;
    format = (unsigned)number;
    bool can_dupe = false;
    if (key(K_ROTATE))
        environment(ENV_SET_ROTATION, &keys[K_ROTATE].value);
    if (key(K_DUPE_EVERY) && !key(K_DUPE_UNASKED))
        environment(ENV_GET_CAN_DUPE, &can_dupe);
    return !number || environment(ENV_SET_PIXEL_FORMAT, &number);
}

static bool ask_hw_render(void) {
    struct abi_hw_render request = {.context_type = HW_VULKAN};
    return environment(ENV_SET_HW_RENDER, &request) || key(K_HW) == 2;
}

/* ---- picture and sound ---- */

static bool resized(void) { return key(K_RESIZE_AT) && get32(0) >= key(K_RESIZE_AT); }
static unsigned width(void) { return key(resized() ? K_WIDTH2 : K_WIDTH); }
static unsigned height(void) { return key(resized() ? K_HEIGHT2 : K_HEIGHT); }

/* 3x5 digits, a row in three bits, top row first; each dot is 4x4 pixels. */
static const uint16_t font[10] = {075557, 026227, 071747, 071717, 055711,
                                  074717, 074757, 071222, 075757, 075717};

static bool ink(unsigned x, unsigned y) {
    if (x < 8 || y < 8 || x >= 8 + 6 * 16 || y >= 8 + 5 * 4 || (x - 8) % 16 >= 12)
        return false;
    unsigned number = get32(0), row = (y - 8) / 4, column = (x - 8) % 16 / 4;
    for (unsigned place = 5 - (x - 8) / 16; place; place--)
        number /= 10;
    return font[number % 10] >> (3 * (4 - row) + 2 - column) & 1;
}

static void put_pixel(uint8_t *at, unsigned gray) {
    uint32_t wide = gray << 16 | gray << 8 | gray;
    uint16_t packed = (uint16_t)(format == 2 ? gray >> 3 << 11 | gray >> 2 << 5 | gray >> 3
                                             : gray >> 3 << 10 | gray >> 3 << 5 | gray >> 3);
    if (format == 1)
        memcpy(at, &wide, sizeof wide);
    else
        memcpy(at, &packed, sizeof packed);
}

static unsigned hidden; /* not in states */
static bool restored;

static void count_hidden(void) {
    if (key(K_HIDDEN) == 4) {
        if (get32(0) % 500 == 100)
            hidden = 20;
        else if (hidden && !--hidden)
            ram[29]++;
        return;
    }
    if (key(K_HIDDEN) == 3)
        hidden = ram[29];
    if (key(K_HIDDEN) >= 5)
        return;
    hidden += TOYCORE_HIDDEN && key(K_HIDDEN) && (get16(4) >> 8 & 1);
    if (key(K_HIDDEN) >= 2)
        ram[29] = (uint8_t)hidden;
}

static void draw(void) {
    unsigned frame = get32(0), bytes = format == 1 ? 4 : 2;
    size_t pitch = (size_t)width() * bytes + key(K_PITCH_EXTRA);
    if (key(K_DUPE_EVERY) && frame % key(K_DUPE_EVERY) == 0) {
        video(NULL, width(), height(), pitch);
        return;
    }
    if (*words[W_DRAWS].value && frame >= key(K_DRAWS_AT)) {
        unsigned claimed[3] = {0};
        sscanf(words[W_DRAWS].value, "%ux%ux%u", &claimed[0], &claimed[1], &claimed[2]);
        video(picture, claimed[0], claimed[1], claimed[2]);
        return;
    }
    memset(picture, 0xEE, pitch * height());
    for (unsigned y = 0; y < height(); y++)
        for (unsigned x = 0; x < width(); x++)
            put_pixel(picture + y * pitch + x * bytes, ink(x, y) ? 255 : (frame + hidden) * 8 % 128);
    if (key(K_HIDDEN) == 5)
        memset(picture + pitch, (int)(hidden % 128), pitch);
    if (key(K_HIDDEN) == 6 && restored)
        memset(picture + pitch, 0, pitch);
    restored = false;
    hidden = key(K_HIDDEN) == 5 ? frame : hidden;
    video(picture, width(), height(), pitch);
}

static void sound(void) {
    int16_t samples[SAMPLES * 2];
    for (unsigned i = 0; i < SAMPLES; i++) {
        samples[2 * i] = (int16_t)((get32(0) * SAMPLES + i) & 0x7FFF);
        samples[2 * i + 1] = (int16_t)-samples[2 * i];
        if (word_is(W_AUDIO, "single"))
            audio(samples[2 * i], samples[2 * i + 1]);
    }
    if (word_is(W_AUDIO, "batch"))
        audio_batch(samples, SAMPLES);
}

/* ---- one frame ---- */

static unsigned read_mask(unsigned port) {
    if (environment(ENV_GET_INPUT_BITMASKS, NULL))
        return (uint16_t)input_state(port, ABI_DEVICE_JOYPAD, 0, ABI_JOYPAD_MASK);
    unsigned mask = 0;
    for (unsigned id = 0; id < ABI_JOYPAD_BUTTONS; id++)
        mask |= (unsigned)(input_state(port, ABI_DEVICE_JOYPAD, 0, id) != 0) << id;
    return mask;
}

static void read_axes(void) {
    static const unsigned asked[][4] = {
        {0, ABI_DEVICE_ANALOG, 0, 0},  {0, ABI_DEVICE_ANALOG, 0, 1},
        {0, ABI_DEVICE_ANALOG, ABI_ANALOG_INDEX_BUTTON, 12},
        {0, ABI_DEVICE_POINTER, 0, 0}, {0, ABI_DEVICE_POINTER, 0, 1},
        {0, ABI_DEVICE_POINTER, 0, 2}, {1, ABI_DEVICE_MOUSE, 0, 0},
        {1, ABI_DEVICE_LIGHTGUN, 0, 2},
    };
    for (unsigned i = 0; i < sizeof asked / sizeof *asked; i++) {
        const unsigned *one = asked[i];
        put16(32 + 2 * i, (uint16_t)input_state(one[0], one[1], one[2], one[3]));
    }
}

static bool tray_is_open;
static unsigned disc;
static bool set_tray(bool open) {
    tray_is_open = open;
    return true;
}
static bool get_tray(void) { return tray_is_open; }
static unsigned get_disc(void) { return disc; }
static bool set_disc(unsigned index) {
    if (tray_is_open)
        disc = index < key(K_DISCS) ? index : key(K_DISCS);
    return tray_is_open;
}
static unsigned get_discs(void) { return key(K_DISCS); }

static void announce_discs(void) {
    static struct abi_disc_control control = {set_tray, get_tray, get_disc, set_disc, get_discs};
    tray_is_open = false;
    disc = 0;
    environment(ENV_SET_DISK_CONTROL_INTERFACE, &control);
}

static void evolve(void) {
    unsigned before = get16(4), frame = get32(0) + 1, speed = ram[22];
    put32(0, frame);
    bool lags = key(K_LAG_EVERY) && frame % key(K_LAG_EVERY) == 0;
    for (unsigned port = 0; port < 4 && !lags; port++)
        put16(4 + 2 * port, read_mask(port));
    unsigned mask = get16(4), random = get32(12) * 1664525u + 1013904223u;
    put32(12, random);
    if (mask >> BUTTON_A & 1)
        add32_be(16, speed);
    if (mask >> SELECT & ~(before >> SELECT) & 1 && ram[20])
        ram[20]--;
    int x = ram[24] << 8 | ram[25];
    x += (int)speed * ((int)(mask >> RIGHT & 1) - (int)(mask >> LEFT & 1));
    x = x < 0 ? 0 : x > 319 ? 319 : x;
    ram[24] = (uint8_t)(x >> 8);
    ram[25] = (uint8_t)x;
    ram[32 + frame % (key(K_RAM) - 32)] ^= (uint8_t)(random >> 24);
    if (key(K_AXES))
        read_axes();
    if (key(K_DISCS)) {
        ram[48] = tray_is_open;
        ram[49] = (uint8_t)disc;
    }
}

static bool due(int at_key, int mask_key) {
    return (key(at_key) && get32(0) == key(at_key)) ||
           (mask_key != NEVER && key(mask_key) && get16(4) == key(mask_key));
}

static void hog(void) {
    for (void *block; (block = malloc(1 << 20));)
        memset(block, 1, 1 << 20);
    ram[28] = 1;
}

static void flood(void) {
    const char *folder = NULL;
    char path[4096], block[4096] = {0};
    environment(ENV_GET_SAVE_DIRECTORY, &folder);
    snprintf(path, sizeof path, "%s/flood", folder ? folder : ".");
    FILE *file = fopen(path, "wb");
    while (file && fwrite(block, sizeof block, 1, file) == 1 && !fflush(file)) {}
    if (file)
        fclose(file);
    ram[29] = 1;
}

static void misbehave(void) {
    int *volatile nowhere = NULL; /* volatile, or the compiler sees through it */
    if (due(K_CRASH_AT, K_CRASH_MASK)) {
        log_line(3, "toycore: about to crash on frame %u\n", get32(0));
        *nowhere = 1;
    }
#if !defined(_WIN32)
    if (due(K_HANG_AT, NEVER))
        for (;;)
            pause();
#endif
    if (due(K_HANG_AT, K_HANG_MASK))
        for (volatile int forever = 1; forever;) {}
    if (due(K_EXIT_AT, K_EXIT_MASK))
        exit(3);
    if (due(K_HOG_AT, NEVER))
        hog();
    if (due(K_FLOOD_AT, NEVER))
        flood();
#if !defined(_WIN32)
    if (due(K_FORK_AT, NEVER) && fork() == 0)
        for (;;)
            pause();
#endif
    if (due(K_SHUTDOWN_AT, NEVER))
        environment(ENV_SHUTDOWN, NULL);
}

EXPORT void retro_get_system_av_info(struct abi_av_info *info);

static void tell(void) {
    struct abi_av_info av;
    if (key(K_LOG_EVERY) && get32(0) % key(K_LOG_EVERY) == 0)
        log_line(1, "frame %u of %s, %5.2f seconds\n", get32(0), "toycore", get32(0) / 60.0);
    if (due(K_MESSAGE_AT, NEVER))
        environment(ENV_SET_MESSAGE, &(struct abi_message){"hello from toycore", 60});
    retro_get_system_av_info(&av);
    if (due(K_RESIZE_AT, NEVER))
        environment(ENV_SET_GEOMETRY, &av.geometry);
    if (due(K_AV_AT, NEVER))
        environment(ENV_SET_SYSTEM_AV_INFO, &av);
}

static void move_memory(void) {
    if (due(K_MOVE_AT, NEVER)) {
        uint8_t *moved = malloc(key(K_RAM));
        memcpy(moved, ram, key(K_RAM));
        memset(ram, 0xAA, key(K_RAM));
        free(ram);
        ram = moved;
        announce_memory();
    }
    if (due(K_LAYOUT_AT, NEVER))
        announce(&(struct abi_memory_descriptor){0, ram, 0, 0x1000, 0, 0, 32, "less"}, 1);
}

/* ---- entry points ---- */

EXPORT unsigned retro_api_version(void) { return TOYCORE_API; }
static void announce_subsystems(void) {
    static const struct abi_subsystem_rom files[] = {
        {"Base", "toy|txt", false, false, true, NULL, 0},
        {"Text", "txt", true, false, true, NULL, 0},
        {"Third", "txt", false, false, false, NULL, 0}};
    static const struct abi_subsystem subsystems[] = {{"Toy pair", "pair", files, 3, 0x101},
                                                      {"Toy alone", "alone", files, 1, 0x102},
                                                      {0}};
    environment(ENV_SET_SUBSYSTEM_INFO, (void *)subsystems);
}
EXPORT void retro_set_environment(abi_environment_fn fn) {
    environment = fn;
    if (TOYCORE_SUBSYSTEMS)
        announce_subsystems();
}
EXPORT void retro_set_video_refresh(abi_video_fn fn) { video = fn; }
EXPORT void retro_set_audio_sample(abi_audio_fn fn) { audio = fn; }
EXPORT void retro_set_audio_sample_batch(abi_audio_batch_fn fn) { audio_batch = fn; }
EXPORT void retro_set_input_poll(abi_input_poll_fn fn) { input_poll = fn; }
EXPORT void retro_set_input_state(abi_input_state_fn fn) { input_state = fn; }

EXPORT void retro_init(void) {
    struct abi_log_interface log = {NULL};
    environment(ENV_GET_LOG_INTERFACE, &log);
    log_line = log.log;
}
EXPORT void retro_deinit(void) {}

EXPORT void retro_get_system_info(struct abi_system_info *info) {
    *info = (struct abi_system_info){"toycore", "1.0", "toy|txt", TOYCORE_FULLPATH, false};
}

EXPORT void retro_get_system_av_info(struct abi_av_info *info) {
    unsigned wide = key(K_WIDTH) > key(K_WIDTH2) ? key(K_WIDTH) : key(K_WIDTH2);
    unsigned high = key(K_HEIGHT) > key(K_HEIGHT2) ? key(K_HEIGHT) : key(K_HEIGHT2);
    struct abi_geometry *geometry = &info->geometry;
    *geometry = (struct abi_geometry){width(), height(), wide, high, (float)number(W_ASPECT)};
    sscanf(words[W_BASE].value, "%ux%u", &geometry->base_width, &geometry->base_height);
    sscanf(words[W_MAX].value, "%ux%u", &geometry->max_width, &geometry->max_height);
    bool slow = key(K_AV_AT) && get32(0) >= key(K_AV_AT);
    info->timing = (struct abi_timing){number(slow ? W_FPS2 : W_FPS), number(W_RATE)};
}

EXPORT void retro_set_controller_port_device(unsigned port, unsigned device) {
    if (port < 2)
        ram[26 + port] = (uint8_t)(devices[port] = device);
}

static void power_on(void) {
    memset(ram, 0, key(K_RAM));
    put32(12, key(K_SEED));
    ram[20] = 3;
    ram[25] = 80;
    ram[26] = (uint8_t)devices[0];
    ram[27] = (uint8_t)devices[1];
    memcpy(ram + 30, further, sizeof further);
}

static void show_uncleared(void) {
    const size_t size = TOYCORE_UNCLEARED;
    void *blocks[5] = {malloc(size), realloc(NULL, size), realloc(malloc(size / 2), size), aligned_alloc(32, size)};
    if (posix_memalign(&blocks[4], 32, size))
        abort();
    for (int i = 0; i < 5; i++) {
        memcpy(ram + 1024 + i * size, blocks[i], size);
        free(blocks[i]);
    }
}

static bool start(const char *data, size_t size) {
    if (!data || !parse(data, size) || key(K_REFUSE))
        return false;
    if (key(K_STDOUT))
        puts("toycore prints to standard output");
    unsigned wide = key(K_WIDTH) + key(K_WIDTH2), high = key(K_HEIGHT) + key(K_HEIGHT2);
    ram = malloc(key(K_RAM));
    picture = malloc((size_t)(wide * 4 + key(K_PITCH_EXTRA)) * high);
    if (!ram || !picture)
        return false;
    power_on();
    if (TOYCORE_UNCLEARED)
        show_uncleared();
    if (key(K_DISCS))
        announce_discs();
    declare_options();
    read_options();
    ask_undeclared();
    announce_memory();
    may_throw("load");
    return announce_picture() && (!key(K_HW) || ask_hw_render());
}

EXPORT bool retro_load_game(const struct abi_game_info *game) {
    memset(further, 0, sizeof further);
    if (!TOYCORE_FULLPATH)
        return game && start(game->data, game->size);
    char text[4096];
    FILE *file = game && !game->data ? fopen(game->path, "rb") : NULL;
    if (!file)
        return false;
    size_t size = fread(text, 1, sizeof text, file);
    fclose(file);
    return start(text, size);
}

EXPORT void retro_unload_game(void) {
    may_throw("unload");
    free(ram);
    free(picture);
    ram = picture = NULL;
}

EXPORT void retro_reset(void) {
    may_throw("reset");
    uint8_t resets = ram[21], speed = ram[22], answer = ram[23];
    power_on();
    ram[21] = (uint8_t)(resets + 1);
    ram[22] = speed;
    ram[23] = answer;
}

EXPORT void retro_run(void) {
    bool changed = false;
    if (environment(ENV_GET_VARIABLE_UPDATE, &changed) && changed)
        read_options();
    input_poll();
    evolve();
    count_hidden();
    may_throw("run");
    misbehave();
    move_memory();
    tell();
    draw();
    sound();
}

EXPORT size_t retro_serialize_size(void) {
    size_t extra = key(K_STATE_GROW) ? get32(0) / key(K_STATE_GROW) * 16 : 0;
    if (*words[W_STATE_SAYS].value)
        return strtoull(words[W_STATE_SAYS].value, NULL, 0);
    return key(K_STATE) ? 8 + key(K_RAM) + extra : 0;
}

EXPORT bool retro_serialize(void *data, size_t size) {
    uint32_t head[2] = {0x31594F54, key(K_RAM)}; /* "TOY1" */
    may_throw("serialize");
    if (size < sizeof head + key(K_RAM))
        return false;
    memcpy(data, head, sizeof head);
    memcpy((uint8_t *)data + sizeof head, ram, key(K_RAM));
    return true;
}

EXPORT bool retro_unserialize(const void *data, size_t size) {
    uint32_t head[2] = {0x31594F54, key(K_RAM)};
    if (size < sizeof head + key(K_RAM) || memcmp(data, head, sizeof head) != 0) {
        may_throw("unserialize");
        return false;
    }
    uint8_t chip = ram[29];
    memcpy(ram, (const uint8_t *)data + sizeof head, key(K_RAM));
    if (key(K_HIDDEN) == 3)
        ram[29] = chip;
    restored = true;
    return true;
}

EXPORT void *retro_get_memory_data(unsigned id) {
    return id == ABI_MEMORY_SYSTEM_RAM && word_is(W_MEMORY, "system") ? ram : NULL;
}
EXPORT size_t retro_get_memory_size(unsigned id) {
    return id == ABI_MEMORY_SYSTEM_RAM && word_is(W_MEMORY, "system") ? key(K_RAM) : 0;
}
EXPORT unsigned retro_get_region(void) { return 0; }
EXPORT void retro_cheat_reset(void) {}
EXPORT void retro_cheat_set(unsigned index, bool enabled, const char *code) {
    (void)index, (void)enabled, (void)code;
}
EXPORT bool retro_load_game_special(unsigned type, const struct abi_game_info *games, size_t n) {
    if (type == 0x102 && n == 1)
        return start(games[0].data, games[0].size);
    if (type != 0x101 || n != 3 || games[1].data)
        return false;
    FILE *file = fopen(games[1].path, "rb");
    if (!file)
        return false;
    further[0] = (uint8_t)fgetc(file);
    further[1] = games[2].size ? *(const uint8_t *)games[2].data : 0;
    fclose(file);
    return start(games[0].data, games[0].size);
}
