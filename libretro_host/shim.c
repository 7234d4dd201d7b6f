/* Every libretro callback, and the calls into the core. Nothing is raised through C: a callback
 * that fails stores a code in lh.code, and Python raises after the call has returned. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shim.h"

#if defined(_WIN32)
#include <windows.h>
static void *open_library(const char *path) {
    wchar_t wide[4096];
    if (!MultiByteToWideChar(CP_UTF8, 0, path, -1, wide, 4096))
        return NULL;
    return (void *)LoadLibraryW(wide);
}
static void *find_symbol(void *library, const char *name) {
    return (void *)GetProcAddress((HMODULE)library, name);
}
static void close_library(void *library) { FreeLibrary((HMODULE)library); }
static const char *loader_error(void) { return "the dynamic loader refused it"; }
#else
#include <dlfcn.h>
static void *open_library(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static void *find_symbol(void *library, const char *name) { return dlsym(library, name); }
static void close_library(void *library) { dlclose(library); }
static const char *loader_error(void) {
    const char *text = dlerror();
    return text ? text : "the dynamic loader refused it";
}
#endif

#if defined(__GLIBC__)
#include <malloc.h>
/* Some cores (fceumm's work RAM) run on memory that they never cleared. While a game loads, large
 * fresh blocks come zeroed, as they do in a new process, so that two boots are the same. */
static void zero_fresh_memory(bool on) { mallopt(M_PERTURB, on ? 0xFF : 0); }
#else
static void zero_fresh_memory(bool on) { (void)on; }
#endif

struct lh_state lh;

/* ---- environment ---- */

static int64_t perf_time_usec(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) ? (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 : 0;
}
static uint64_t perf_none(void) { return 0; }
static void perf_ignore(struct abi_perf_counter *counter) { (void)counter; }
static void perf_log(void) {}

static bool give_perf(struct abi_perf_interface *perf) {
    *perf = (struct abi_perf_interface){perf_time_usec, perf_none,   perf_none, perf_ignore,
                                        perf_ignore,    perf_ignore, perf_log};
    return true;
}

static bool give_path(const char **out, const char *path) {
    *out = path;
    return path != NULL;
}

static bool take_pixel_format(const int *format) {
    if (*format < 0 || *format > 2)
        return false;
    lh.pixel_format = (unsigned)*format;
    return true;
}

static bool take_message(const char *text) {
    const char **slot = text ? lh_append(&lh.messages, sizeof *slot) : NULL;
    if (slot && !(*slot = lh_keep(text)))
        lh.messages.size -= sizeof *slot;
    return true;
}

/* SET_GEOMETRY may not enlarge the maximum: only SET_SYSTEM_AV_INFO does that. */
static bool take_geometry(const struct abi_geometry *geometry) {
    lh.av.geometry.base_width = geometry->base_width;
    lh.av.geometry.base_height = geometry->base_height;
    lh.av.geometry.aspect_ratio = geometry->aspect_ratio;
    return true;
}

static bool take_controllers(const struct abi_controller_info *info) {
    lh.controllers.size = 0;
    for (unsigned port = 0; info && port < LH_PORTS && info[port].types; port++)
        for (unsigned i = 0; i < info[port].count; i++) {
            lh_controller *copy = lh_append(&lh.controllers, sizeof *copy);
            const struct abi_controller_description *type = &info[port].types[i];
            if (!copy)
                return false;
            *copy = (lh_controller){lh_keep(type->title ? type->title : ""), port, type->device};
        }
    return true;
}

static bool take_quirks(uint64_t *quirks) {
    lh.quirks = *quirks;
    *quirks |= ABI_QUIRK_FRONT_VARIABLE_SIZE;
    return true;
}

static bool refuse_hw_render(const int *context_type) {
    lh.hw_render = *context_type ? *context_type : -1;
    return false;
}

/* What the core tells us. */
static bool take(unsigned command, void *data, bool *known) {
    switch (command) {
    case ENV_SET_ROTATION: lh.rotation = *(const unsigned *)data % 4; return true;
    case ENV_SET_MESSAGE: return take_message(((const struct abi_message *)data)->text);
    case ENV_SET_MESSAGE_EXT: return take_message(((const struct abi_message_ext *)data)->text);
    case ENV_SHUTDOWN: return lh.shutdown = true;
    case ENV_SET_PIXEL_FORMAT: return take_pixel_format(data);
    case ENV_SET_HW_RENDER: return refuse_hw_render(data);
    case ENV_SET_SUPPORT_NO_GAME: lh.no_game = *(const bool *)data; return true;
    case ENV_SET_SYSTEM_AV_INFO: lh.av = *(const struct abi_av_info *)data; return true;
    case ENV_SET_GEOMETRY: return take_geometry(data);
    case ENV_SET_CONTROLLER_INFO: return take_controllers(data);
    case ENV_SET_MEMORY_MAPS: return lh_memory_maps(data);
    case ENV_SET_SERIALIZATION_QUIRKS: return take_quirks(data);
    case ENV_SET_PERFORMANCE_LEVEL:
    case ENV_SET_INPUT_DESCRIPTORS:
    case ENV_SET_SUBSYSTEM_INFO:
    case ENV_SET_SUPPORT_ACHIEVEMENTS: return true;
    default: *known = false; return false;
    }
}

/* What the core asks. */
static bool give(unsigned command, void *data) {
    switch (command) {
    case ENV_GET_OVERSCAN: *(bool *)data = false; return true;
    case ENV_GET_CAN_DUPE: return lh.may_duplicate = *(bool *)data = true;
    case ENV_GET_SYSTEM_DIRECTORY:
    case ENV_GET_CORE_ASSETS_DIRECTORY: return give_path(data, lh.system_dir);
    case ENV_GET_SAVE_DIRECTORY: return give_path(data, lh.save_dir);
    case ENV_GET_LIBRETRO_PATH: return give_path(data, lh.core_path);
    case ENV_GET_INPUT_DEVICE_CAPABILITIES: *(uint64_t *)data = 1 << ABI_DEVICE_JOYPAD; return true;
    case ENV_GET_LOG_INTERFACE: ((struct abi_log_interface *)data)->log = lh_log_write; return true;
    case ENV_GET_PERF_INTERFACE: return give_perf(data);
    case ENV_GET_LANGUAGE: *(unsigned *)data = 0; return true; /* English */
    case ENV_GET_AUDIO_VIDEO_ENABLE: *(int *)data = 1 | 2; return true; /* video and audio */
    case ENV_GET_FASTFORWARDING: *(bool *)data = false; return true;
    case ENV_GET_INPUT_BITMASKS: return true;
    case ENV_GET_MESSAGE_INTERFACE_VERSION: *(unsigned *)data = 1; return true;
    default: return false; /* virtual files, cameras, rumble and the rest: refused */
    }
}

static bool on_environment(unsigned command, void *data) {
    bool answer, known = true;
    if (lh_option_command(command, data, &answer))
        return answer;
    if (!data && command != ENV_SHUTDOWN && command != ENV_GET_INPUT_BITMASKS &&
        command != ENV_SET_CONTROLLER_INFO && command != ENV_SET_MEMORY_MAPS)
        return false;
    answer = take(command, data, &known);
    return known ? answer : give(command, data);
}

/* ---- video, audio, input ---- */

static void on_video(const void *pixels, unsigned width, unsigned height, size_t pitch) {
    if (!pixels || pixels == (void *)-1 || !width || !height)
        return; /* "as before", or a picture that only a graphics card holds */
    lh.drew = true;
    if (!lh.picture_wanted && !lh.may_duplicate)
        return;
    size_t row = (size_t)width * (lh.pixel_format == 1 ? 4 : 2);
    if (pitch < row)
        pitch = row;
    /* The core's padding stays behind: it is often wider than the picture, and that of the last
     * row may lie outside its buffer. Ours keeps rows on word boundaries. */
    size_t packed = (row + 3) & ~(size_t)3;
    if (!lh_reserve(&lh.screen_pixels, packed * height))
        return;
    uint8_t *to = lh.screen_pixels.data;
    for (const uint8_t *from = pixels, *end = from + pitch * height; from < end; from += pitch) {
        memcpy(to, from, row);
        memset(to + row, 0, packed - row);
        to += packed;
    }
    lh.screen_pixels.size = packed * height;
    lh.screen = (lh_picture){0, packed, width, height, lh.pixel_format, lh.rotation, 0};
    lh.has_screen = true;
}

static void on_audio(int16_t left, int16_t right) {
    int16_t *sample = lh.audio_wanted ? lh_append(&lh.audio, 2 * sizeof *sample) : NULL;
    if (sample) {
        sample[0] = left;
        sample[1] = right;
    }
}

static size_t on_audio_batch(const int16_t *samples, size_t frames) {
    size_t bytes = frames * 2 * sizeof *samples;
    void *place = lh.audio_wanted && samples ? lh_append(&lh.audio, bytes) : NULL;
    if (place)
        memcpy(place, samples, bytes);
    return frames;
}

static void on_input_poll(void) {}

static int16_t on_input_state(unsigned port, unsigned device, unsigned index, unsigned id) {
    if (port >= LH_PORTS)
        return 0;
    unsigned kind = device & ABI_DEVICE_MASK, pressed = id < 16 && lh.masks[port] >> id & 1;
    if (kind == ABI_DEVICE_JOYPAD)
        return id == ABI_JOYPAD_MASK ? (int16_t)lh.masks[port] : (int16_t)pressed;
    if (kind == ABI_DEVICE_ANALOG && index == ABI_ANALOG_INDEX_BUTTON)
        return pressed ? INT16_MAX : 0;
    return 0;
}

/* ---- opening and closing ---- */

static int fail(int code, const char *text) {
    snprintf(lh.error, sizeof lh.error, "%s", text);
    return code;
}

const char *lh_error(void) { return lh.error; }

int lh_prepare(const char *system_dir, const char *save_dir) {
    if (lh.library)
        return fail(LH_BUSY, "a core is open already in this process");
    lh_forget_all();
    lh_log_clear();
    memset(&lh, 0, sizeof lh);
    lh.system_dir = lh_keep(system_dir);
    lh.save_dir = lh_keep(save_dir);
    return lh.code;
}

static const char *const entry_points[] = {
    "retro_api_version",           "retro_init",
    "retro_deinit",                "retro_set_environment",
    "retro_set_video_refresh",     "retro_set_audio_sample",
    "retro_set_audio_sample_batch", "retro_set_input_poll",
    "retro_set_input_state",       "retro_get_system_info",
    "retro_get_system_av_info",    "retro_set_controller_port_device",
    "retro_reset",                 "retro_run",
    "retro_serialize_size",        "retro_serialize",
    "retro_unserialize",           "retro_load_game",
    "retro_unload_game",           "retro_get_memory_data",
    "retro_get_memory_size",
};

static int find_entry_points(void) {
    enum { COUNT = sizeof entry_points / sizeof *entry_points };
    void *found[COUNT];
    _Static_assert(sizeof found == sizeof lh.core, "one name for each entry point");
    for (int i = 0; i < COUNT; i++)
        if (!(found[i] = find_symbol(lh.library, entry_points[i])))
            return fail(LH_NOT_A_CORE, entry_points[i]);
    memcpy(&lh.core, found, sizeof found);
    return LH_OK;
}

static int give_up(int code) {
    close_library(lh.library);
    lh.library = NULL;
    return code;
}

int lh_open(const char *path) {
    if (lh.library)
        return fail(LH_BUSY, "a core is open already in this process");
    if (!(lh.library = open_library(path)))
        return fail(LH_NO_LIBRARY, loader_error());
    lh.core_path = lh_keep(path);
    int code = find_entry_points();
    if (code != LH_OK)
        return give_up(code);
    unsigned version = lh.core.api_version();
    if (version != ABI_VERSION) {
        snprintf(lh.error, sizeof lh.error, "%u", version);
        return give_up(LH_WRONG_API);
    }
    lh.core.set_environment(on_environment);
    lh.core.set_video_refresh(on_video);
    lh.core.set_audio_sample(on_audio);
    lh.core.set_audio_sample_batch(on_audio_batch);
    lh.core.set_input_poll(on_input_poll);
    lh.core.set_input_state(on_input_state);
    lh.core.init();
    lh.initialised = true;
    return lh.code;
}

int lh_load_game(const char *path, const void *data, size_t size, uint64_t rambase) {
    if (!lh.initialised)
        return LH_CLOSED;
    struct abi_game_info game = {path, data, size, NULL};
    zero_fresh_memory(true);
    bool loaded = lh.core.load_game(&game);
    zero_fresh_memory(false);
    if (!loaded)
        return LH_REFUSED;
    lh.game_loaded = true;
    lh.rambase = rambase;
    lh.core.get_system_av_info(&lh.av);
    int code = lh_resolve_spans();
    return code != LH_OK ? code : lh.code;
}

void lh_close(void) {
    if (lh.game_loaded)
        lh.core.unload_game();
    if (lh.initialised)
        lh.core.deinit();
    if (lh.library)
        close_library(lh.library);
    lh_forget_all();
    memset(&lh, 0, sizeof lh);
}

void lh_system(lh_system_info *out) {
    struct abi_system_info info = {0};
    if (lh.library)
        lh.core.get_system_info(&info);
    *out = (lh_system_info){info.library_name ? info.library_name : "",
                            info.library_version ? info.library_version : "",
                            info.valid_extensions ? info.valid_extensions : "",
                            info.need_fullpath};
}

void lh_av(lh_av_info *out) {
    const struct abi_geometry *geometry = &lh.av.geometry;
    *out = (lh_av_info){geometry->base_width,   geometry->base_height,  geometry->max_width,
                        geometry->max_height,   geometry->aspect_ratio, lh.av.timing.fps,
                        lh.av.timing.sample_rate};
}

int lh_hw_render(void) { return lh.hw_render; }
int lh_supports_no_game(void) { return lh.no_game; }
int lh_shutdown_requested(void) { return lh.shutdown; }
uint64_t lh_serialization_quirks(void) { return lh.quirks; }

size_t lh_controllers(const lh_controller **out) {
    *out = (const lh_controller *)lh.controllers.data;
    return lh.controllers.size / sizeof **out;
}

void lh_set_port_device(unsigned port, unsigned device) {
    if (lh.game_loaded)
        lh.core.set_controller_port_device(port, device);
}

/* ---- running ---- */

static void keep_picture(bool duplicate) {
    if (!lh.has_screen)
        return;
    lh_picture *picture = lh_append(&lh.pictures, sizeof *picture);
    size_t offset = lh.picture_pixels.size;
    void *place = picture ? lh_append(&lh.picture_pixels, lh.screen_pixels.size) : NULL;
    if (!place)
        return;
    memcpy(place, lh.screen_pixels.data, lh.screen_pixels.size);
    *picture = lh.screen;
    picture->offset = offset;
    picture->duplicate = duplicate;
}

static int run_frame(const lh_plan *plan, size_t frame) {
    for (size_t port = 0; port < plan->ports && port < LH_PORTS; port++)
        lh.masks[port] = plan->inputs[frame * plan->ports + port];
    bool kth = plan->picture_every && (frame + 1) % plan->picture_every == 0;
    lh.picture_wanted = kth || (plan->picture && frame + 1 == plan->frames);
    lh.drew = false;
    lh.core.run();
    if (!lh.drew)
        lh.may_duplicate = true; /* from now on every picture is kept, in case of another */
    lh.screen.duplicate = !lh.drew;
    if (kth)
        keep_picture(!lh.drew);
    return lh_capture_frame(plan, frame);
}

int lh_run(const lh_plan *plan, lh_result *out) {
    memset(out, 0, sizeof *out);
    if (!lh.game_loaded)
        return LH_CLOSED;
    lh.pictures.size = lh.picture_pixels.size = lh.audio.size = 0;
    memset(lh.masks, 0, sizeof lh.masks);
    lh.audio_wanted = plan->audio;
    int code = lh_refresh_spans();
    if (code == LH_OK)
        code = lh_capture_begin(plan);
    while (code == LH_OK && out->frames < plan->frames) {
        code = run_frame(plan, out->frames);
        out->frames += code == LH_OK;
        if (code == LH_OK && lh.code)
            code = lh.code;
        if (code == LH_OK && lh.shutdown)
            code = LH_SHUTDOWN;
    }
    lh.code = LH_OK;
    out->change_offsets = (const uint32_t *)lh.change_offsets.data;
    out->change_values = lh.change_values.data;
    out->change_total = lh.change_values.size;
    out->pictures = (const lh_picture *)lh.pictures.data;
    out->picture_count = lh.pictures.size / sizeof *out->pictures;
    out->picture_pixels = lh.picture_pixels.data;
    out->has_screen = lh.has_screen;
    out->screen = lh.screen;
    out->screen_pixels = lh.screen_pixels.data;
    out->audio = (const int16_t *)lh.audio.data;
    out->audio_frames = lh.audio.size / (2 * sizeof *out->audio);
    return code;
}

int lh_reset(void) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    memset(lh.masks, 0, sizeof lh.masks);
    lh.core.reset();
    return lh_refresh_spans();
}

size_t lh_serialize_size(void) { return lh.game_loaded ? lh.core.serialize_size() : 0; }

int lh_serialize(void *data, size_t size) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    return lh.core.serialize(data, size) ? LH_OK : LH_REFUSED;
}

int lh_unserialize(const void *data, size_t size) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    if (!lh.core.unserialize(data, size))
        return LH_REFUSED;
    return lh_refresh_spans();
}
