/* Every libretro callback: announcements of the core, its questions, pictures, sound and inputs.
 * A callback that fails stores a code in lh.code, and Python raises after the call has returned. */
#include <string.h>
#include <time.h>

#include "shim.h"

/* ---- environment ---- */

static int64_t perf_time_usec(void) {
    struct timespec now;
    return timespec_get(&now, TIME_UTC) ? (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000 : 0;
}
static uint64_t perf_none(void) { return 0; }
static void perf_ignore(struct abi_perf_counter *counter) { (void)counter; }
static void perf_log(void) {}

static const struct abi_perf_interface performance = {
    perf_time_usec, perf_none, perf_none, perf_ignore, perf_ignore, perf_ignore, perf_log};

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

enum { MOST_INPUTS = 1024 };

static bool take_inputs(const struct abi_input_descriptor *described) {
    lh.inputs.size = 0;
    for (unsigned i = 0; i < MOST_INPUTS && described[i].text; i++) {
        const struct abi_input_descriptor *one = &described[i];
        lh_input *copy = lh_append(&lh.inputs, sizeof *copy);
        if (!copy)
            return false;
        *copy = (lh_input){one->port, one->device, one->index, one->id, lh_keep(one->text)};
    }
    return true;
}

enum { MOST_SUBSYSTEMS = 256, MOST_ROMS = 16 };

static const char *keep_or_empty(const char *text) { return lh_keep(text ? text : ""); }

/* Subsystems with more files than any known subsystem has are left out. */
static bool take_subsystems(const struct abi_subsystem *announced) {
    lh.subsystems.size = 0;
    for (unsigned i = 0; i < MOST_SUBSYSTEMS && announced[i].name; i++) {
        const struct abi_subsystem *one = &announced[i];
        if (one->rom_count > MOST_ROMS || (one->rom_count && !one->roms))
            continue;
        lh_subsystem *copy = lh_append(&lh.subsystems, sizeof *copy);
        if (!copy)
            return false;
        *copy = (lh_subsystem){lh_keep(one->name), keep_or_empty(one->title), one->id, {{0}}, 0};
        for (; copy->rom_count < one->rom_count; copy->rom_count++) {
            const struct abi_subsystem_rom *rom = &one->roms[copy->rom_count];
            copy->roms[copy->rom_count] =
                (lh_subsystem_rom){keep_or_empty(rom->title), keep_or_empty(rom->extensions),
                                   rom->need_fullpath, rom->required};
        }
    }
    return true;
}

static bool take_av_info(const struct abi_av_info *av) {
    lh.av = *av;
    lh_gl_resize();
    return true;
}

/* Handles commands by which the core announces something. */
static bool take(unsigned command, void *data, bool *known) {
    switch (command) {
    case ENV_SET_ROTATION: lh.rotation = *(const unsigned *)data % 4; return true;
    case ENV_SET_MESSAGE: return take_message(((const struct abi_message *)data)->text);
    case ENV_SET_MESSAGE_EXT: return take_message(((const struct abi_message_ext *)data)->text);
    case ENV_SHUTDOWN: return lh.shutdown = true;
    case ENV_SET_PIXEL_FORMAT: return take_pixel_format(data);
    case ENV_SET_HW_RENDER: return lh_gl_request(data);
    case ENV_SET_DISK_CONTROL_INTERFACE: lh.discs = *(const struct abi_disc_control *)data; return true;
    case ENV_SET_SYSTEM_AV_INFO: return take_av_info(data);
    case ENV_SET_GEOMETRY: return take_geometry(data);
    case ENV_SET_MEMORY_MAPS: return lh_memory_maps(data);
    case ENV_SET_SERIALIZATION_QUIRKS:
        *(uint64_t *)data |= ABI_QUIRK_FRONT_VARIABLE_SIZE;
        return true;
    case ENV_SET_INPUT_DESCRIPTORS: return take_inputs(data);
    case ENV_SET_SUBSYSTEM_INFO: return take_subsystems(data);
    case ENV_SET_CONTROLLER_INFO:
    case ENV_SET_SUPPORT_NO_GAME:
    case ENV_SET_PERFORMANCE_LEVEL:
    case ENV_SET_SUPPORT_ACHIEVEMENTS: return true;
    default: *known = false; return false;
    }
}

/* Handles commands by which the core asks for something. */
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
    case ENV_GET_PERF_INTERFACE: *(struct abi_perf_interface *)data = performance; return true;
    case ENV_GET_LANGUAGE: *(unsigned *)data = 0; return true; /* English */
    case ENV_GET_AUDIO_VIDEO_ENABLE: *(int *)data = 1 | 2; return true; /* video and audio */
    case ENV_GET_FASTFORWARDING: *(bool *)data = false; return true;
    case ENV_GET_INPUT_BITMASKS: return true;
    case ENV_GET_PREFERRED_HW_RENDER: *(unsigned *)data = HW_OPENGL_CORE; return true;
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

#define HELD_BY_OPENGL ((void *)-1)
enum { XRGB8888 = 1, MOST_SIDE = 1 << 14, MOST_PITCH = 4 * MOST_SIDE, MOST_SAMPLES = 1 << 20 };

/* The check prevents reads outside of the picture, which a wrong size or pitch would cause. */
static bool is_picture(unsigned width, unsigned height, size_t pitch, size_t row) {
    uint64_t pixels = (uint64_t)width * height;
    if (width <= MOST_SIDE && height <= MOST_SIDE && pitch >= row && pitch <= MOST_PITCH &&
        (!lh.picture_limit || pixels <= lh.picture_limit))
        return true;
    lh.code = lh_fail(LH_ABSURD, "a picture of %u x %u pixels with %zu bytes a row", width, height,
                      pitch);
    return false;
}

/* Writes a picture into the view, if one is wanted, and keeps it as the screen, unless the view is all
 * that is wanted. */
static void show(const struct lh_drawn *drawn) {
    size_t row = (size_t)drawn->width * (drawn->pixel_format == XRGB8888 ? 4 : 2);
    if (!is_picture(drawn->width, drawn->height, drawn->pitch, row))
        return;
    if (lh.view) {
        lh_write_view(lh.view, lh.view->rgb, drawn);
        lh.screen_is_newest = false;
        if (!lh.picture_wanted)
            return;
    }
    /* The core's padding is not copied: it is often wider than the picture, and that of the last row
     * may lie outside the core's buffer. Our own padding keeps rows on word boundaries. */
    size_t packed = (row + 3) & ~(size_t)3;
    if (!lh_reserve(&lh.screen_pixels, packed * drawn->height))
        return;
    uint8_t *to = lh.screen_pixels.data;
    const uint8_t *from = drawn->pixels, *end = from + drawn->pitch * drawn->height;
    for (; from < end; from += drawn->pitch) {
        memcpy(to, from, row);
        memset(to + row, 0, packed - row);
        to += packed;
    }
    lh.screen_pixels.size = packed * drawn->height;
    lh.screen = (lh_picture){0, packed, drawn->width, drawn->height, drawn->pixel_format,
                             lh.rotation, 0};
    lh.has_screen = lh.screen_is_newest = true;
}

void lh_show_late(void) {
    unsigned width = lh.card_width, height = lh.card_height;
    if (!lh.picture_wanted && !lh.view)
        return; /* reading takes time, and OpenGL keeps the picture */
    lh.card_width = 0;
    if (!is_picture(width, height, (size_t)width * 4, (size_t)width * 4))
        return;
    const void *pixels = lh_gl_read(width, height);
    if (pixels)
        show(&(struct lh_drawn){pixels, width, height, XRGB8888, (size_t)width * 4});
}

static void take_drawn(const struct lh_drawn *drawn) {
    if (lh.picture_wanted || lh.may_duplicate || lh.view)
        show(drawn);
    if (lh.hash_wanted && drawn->pitch >= (size_t)drawn->width * (drawn->pixel_format == XRGB8888 ? 4 : 2))
        lh.picture_hash = lh_hash_picture(drawn);
}

static void on_video(const void *pixels, unsigned width, unsigned height, size_t pitch) {
    if (!pixels || !width || !height)
        return; /* the core repeats the last picture */
    lh.drew = true;
    lh.card_width = pixels == HELD_BY_OPENGL ? width : 0;
    lh.card_height = height;
    if (lh.card_width)
        lh_show_late();
    else
        take_drawn(&(struct lh_drawn){pixels, width, height, lh.pixel_format, pitch});
}

static void on_audio(int16_t left, int16_t right) {
    int16_t *sample = lh.audio_wanted ? lh_append(&lh.audio, 2 * sizeof *sample) : NULL;
    if (sample) {
        sample[0] = left;
        sample[1] = right;
    }
}

static size_t on_audio_batch(const int16_t *samples, size_t frames) {
    if (frames > MOST_SAMPLES) {
        lh.code = lh_fail(LH_ABSURD, "%zu samples of sound at once", frames);
        return frames;
    }
    size_t bytes = frames * 2 * sizeof *samples;
    void *place = lh.audio_wanted && samples ? lh_append(&lh.audio, bytes) : NULL;
    if (place)
        memcpy(place, samples, bytes);
    return frames;
}

static void on_input_poll(void) {}

/* The value of an axis in the current frame's inputs; 0 if they have no such axis. */
int16_t lh_axis_value(unsigned port, unsigned device, unsigned index, unsigned id) {
    const lh_axis *axes = (const lh_axis *)lh.axes.data;
    for (size_t i = 0; lh.row && i < lh.axes.size / sizeof *axes; i++) {
        const lh_axis *one = &axes[i];
        if (one->port != port || one->device != device || one->index != index || one->id != id)
            continue;
        if (one->column >= lh.row_columns)
            return 0;
        double value = one->scale * (int16_t)lh.row[one->column] + one->shift;
        return (int16_t)(value < INT16_MIN ? INT16_MIN : value > INT16_MAX ? INT16_MAX : value);
    }
    return 0;
}

static int16_t on_input_state(unsigned port, unsigned device, unsigned index, unsigned id) {
    lh.asked_buttons = true;
    if (port >= LH_PORTS)
        return 0;
    unsigned kind = device & ABI_DEVICE_MASK, pressed = id < 16 && lh.masks[port] >> id & 1;
    if (kind == ABI_DEVICE_JOYPAD)
        return id == ABI_JOYPAD_MASK ? (int16_t)lh.masks[port] : (int16_t)pressed;
    if (kind == ABI_DEVICE_ANALOG && index == ABI_ANALOG_INDEX_BUTTON && pressed)
        return INT16_MAX;
    return lh_axis_value(port, kind, index, id);
}

void lh_set_callbacks(void) {
    lh.core.set_environment(on_environment);
    lh.core.set_video_refresh(on_video);
    lh.core.set_audio_sample(on_audio);
    lh.core.set_audio_sample_batch(on_audio_batch);
    lh.core.set_input_poll(on_input_poll);
    lh.core.set_input_state(on_input_state);
}
