/* The calls into the core: opening, loading, running, states. Nothing is raised through C: a
 * failure stores a code in lh.code, and Python raises after the call has returned. */
#include <string.h>

#include "shim.h"

/* ---- opening and closing ---- */

/* The code to return after a call into the core: a failure inside the core precedes `code`. */
static int outcome(int code) { return lh.code ? lh_failure() : code; }

int lh_prepare(const char *system_dir, const char *save_dir) {
    if (lh.library)
        return lh_fail(LH_BUSY, "a core is open already in this process");
    lh_forget_all();
    lh_log_clear();
    memset(&lh, 0, sizeof lh);
    lh.mask_columns = LH_PORTS;
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
    _Static_assert(sizeof found == offsetof(struct abi_core, load_game_special),
                   "one name for each entry point");
    for (int i = 0; i < COUNT; i++)
        if (!(found[i] = lh_find_symbol(lh.library, entry_points[i])))
            return lh_fail(LH_NOT_A_CORE, "%s", entry_points[i]);
    memcpy(&lh.core, found, sizeof found);
    void *special = lh_find_symbol(lh.library, "retro_load_game_special");
    memcpy(&lh.core.load_game_special, &special, sizeof special);
    lh_guard_core();
    return LH_OK;
}

int lh_open(const char *path) {
    if (lh.library)
        return lh_fail(LH_BUSY, "a core is open already in this process");
    if (!(lh.library = lh_open_library(path)))
        return lh_fail(LH_NO_LIBRARY, "%s", lh_loader_error());
    lh_zero_blocks(lh.library);
    lh.core_path = lh_keep(path);
    lh_pulse[1] = 0;
    int code = find_entry_points();
    unsigned version = code == LH_OK ? lh.core.api_version() : 0;
    code = outcome(code);
    if (code == LH_OK && version != ABI_VERSION)
        code = lh_fail(LH_WRONG_API, "%u", version);
    if (code != LH_OK) {
        lh_close_library(lh.library);
        lh.library = NULL;
        return code;
    }
    lh_set_callbacks();
    lh.core.init();
    lh.initialized = true;
    return outcome(LH_OK);
}

static int begin_game(bool loaded, uint64_t rambase) {
    if (!loaded)
        return outcome(LH_REFUSED);
    lh.game_loaded = true;
    lh.rambase = rambase;
    lh.core.get_system_av_info(&lh.av);
    lh_gl_settle();
    int code = lh_resolve_spans();
    lh.chip_bytes = lh.core.get_memory_size(ABI_MEMORY_SAVE_RAM);
    lh_gl_leave();
    return outcome(code);
}

int lh_load_game(const char *path, const void *data, size_t size, uint64_t rambase) {
    if (!lh.initialized)
        return LH_CLOSED;
    lh.game = (struct abi_game_info){lh_keep(path), data, size, NULL};
    return begin_game(lh.core.load_game(&lh.game), rambase);
}

int lh_add_file(const char *path, const void *data, size_t size) {
    struct abi_game_info *file = lh_append(&lh.files, sizeof *file);
    if (!file)
        return LH_NO_MEMORY;
    *file = (struct abi_game_info){lh_keep(path), data, size, NULL};
    return LH_OK;
}

int lh_load_subsystem(unsigned id, uint64_t rambase) {
    if (!lh.initialized)
        return LH_CLOSED;
    if (!lh.core.load_game_special)
        return LH_REFUSED;
    const struct abi_game_info *files = (const struct abi_game_info *)lh.files.data;
    size_t count = lh.files.size / sizeof *files;
    return begin_game(lh.core.load_game_special(id, files, count), rambase);
}

int lh_add_axis(const lh_axis *axis) {
    lh_axis *kept = lh_append(&lh.axes, sizeof *kept);
    if (!kept)
        return LH_NO_MEMORY;
    *kept = *axis;
    lh.has_disc_axes |= axis->device == LH_DEVICE_DISC;
    if (axis->column < lh.mask_columns)
        lh.mask_columns = axis->column;
    return LH_OK;
}

void lh_limit_picture(uint64_t pixels) { lh.picture_limit = pixels; }

void lh_close(void) {
    lh_gl_enter();
    lh_gl_destroy();
    if (lh.game_loaded)
        lh.core.unload_game();
    if (lh.initialized)
        lh.core.deinit();
    lh_gl_close();
    if (lh.library)
        lh_close_library(lh.library);
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
const char *lh_hw_error(void) { return lh.hw_error; }
int lh_shutdown_requested(void) { return lh.shutdown; }
LH_LIST(input, inputs)
LH_LIST(subsystem, subsystems)

void lh_set_port_device(unsigned port, unsigned device) {
    if (!lh.game_loaded)
        return;
    lh_gl_enter();
    lh.core.set_controller_port_device(port, device);
    lh_gl_leave();
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

/* For a frame that the core did not draw: the view repeats the last picture. */
static void repeat_view(const lh_plan *plan, size_t frame, size_t *repeats) {
    const lh_picture *screen = &lh.screen;
    const struct lh_drawn drawn = {lh.screen_pixels.data, screen->width, screen->height,
                                   screen->pixel_format, screen->pitch};
    if (lh.has_screen && lh.screen_is_newest)
        lh_write_view(lh.view, lh.view->rgb, &drawn);
    else if (*repeats == frame)
        ++*repeats;
    else
        memcpy(lh.view->rgb, lh_view_at(plan, frame - 1), lh_view_bytes(lh.view));
}

/* Reports whether the watched parts of the rows stay as they were on the frame before. */
static bool stays_calm(const lh_plan *plan, size_t frame) {
    lh_watch *watch = plan->watch;
    const uint8_t *row = plan->ranges_out + frame * watch->row;
    watch->calm = watch->calm >= 0;
    for (size_t i = 0; i < watch->count; i++) {
        const lh_range *part = &watch->parts[i];
        if (memcmp(row + part->offset, row - watch->row + part->offset, part->length))
            watch->calm = 0;
    }
    return watch->calm;
}

static int run_frame(const lh_plan *plan, size_t frame, size_t *repeats) {
    lh_view view = plan->view ? *plan->view : (lh_view){0};
    lh.row = plan->inputs + frame * plan->ports;
    lh.row_columns = plan->ports;
    for (size_t port = 0; port < plan->ports && port < lh.mask_columns; port++)
        lh.masks[port] = lh.row[port];
    if (lh.has_disc_axes)
        lh_change_disc();
    bool kth = plan->picture_every && (frame + 1) % plan->picture_every == 0;
    lh.picture_wanted = kth || (plan->picture && frame + 1 == plan->frames);
    lh.drew = lh.asked_buttons = false;
    lh.hash_wanted = plan->picture_hashes != NULL;
    lh.picture_hash = 0;
    if ((lh.view = plan->view ? &view : NULL))
        view.rgb = lh_view_at(plan, frame);
    lh.core.run();
    lh_pulse[1]++;
    lh_gl_settle();
    uint32_t *row = lh.asked_buttons ? NULL : lh_append(&lh.lag, sizeof *row);
    if (row)
        *row = (uint32_t)frame;
    if (!lh.drew)
        lh.may_duplicate = true; /* from now on keep every picture, in case the core repeats one */
    if (!lh.drew && lh.card_width)
        lh_show_late();
    else if (!lh.drew && lh.view)
        repeat_view(plan, frame, repeats);
    lh.screen.duplicate = !lh.drew;
    if (kth)
        keep_picture(!lh.drew);
    if (lh.hash_wanted)
        plan->picture_hashes[frame] = lh.picture_hash;
    return lh_capture_frame(plan, frame);
}

int lh_run(const lh_plan *plan, lh_result *out) {
    memset(out, 0, sizeof *out);
    if (!lh.game_loaded)
        return LH_CLOSED;
    lh.pictures.size = lh.picture_pixels.size = lh.audio.size = lh.lag.size = 0;
    memset(lh.masks, 0, sizeof lh.masks);
    lh.audio_wanted = plan->audio;
    lh_gl_enter();
    int code = lh_refresh_spans();
    if (code == LH_OK)
        code = lh_capture_begin(plan);
    while (code == LH_OK && out->frames < plan->frames) {
        code = run_frame(plan, out->frames, &out->repeats);
        if (code == LH_OK && lh.code)
            code = lh.code;
        if (code == LH_OK && lh.shutdown)
            code = LH_SHUTDOWN;
        out->frames += code == LH_OK;
        if (code == LH_OK && plan->watch && !stays_calm(plan, out->frames - 1))
            break;
    }
    if (plan->watch && out->frames) {
        uint8_t *before = plan->ranges_out - plan->watch->row;
        memcpy(before, before + out->frames * plan->watch->row, plan->watch->row);
    }
    lh_gl_leave();
    lh.code = LH_OK;
    lh.view = NULL;
    lh.row = NULL;
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
    out->lag = (const uint32_t *)lh.lag.data;
    out->lag_count = lh.lag.size / sizeof *out->lag;
    return code;
}

int lh_reset(void) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    memset(lh.masks, 0, sizeof lh.masks);
    lh_gl_enter();
    lh.core.reset();
    lh_gl_leave();
    return outcome(lh_refresh_spans());
}

size_t lh_serialize_size(void) {
    if (!lh.game_loaded)
        return 0;
    lh_gl_enter();
    size_t size = lh.core.serialize_size();
    lh_gl_leave();
    return size ? size + lh_chip_part() : 0;
}

int lh_serialize(void *data, size_t size) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    lh_gl_enter();
    bool saved = lh.core.serialize(data, size - lh_chip_part());
    lh_gl_leave();
    lh_save_chip((uint8_t *)data + size);
    return outcome(saved ? LH_OK : LH_REFUSED);
}

int lh_unserialize(const void *data, size_t size) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    lh_gl_enter();
    size_t own = lh_without_chip(data, size);
    bool restored = lh.core.unserialize(data, own);
    lh_gl_leave();
    if (!restored)
        return outcome(LH_REFUSED);
    lh_restore_chip((const uint8_t *)data + own, size - own);
    return outcome(lh_refresh_spans());
}
