/* State and helpers that the parts of the shim share. libretro callbacks have no user pointer,
 * so there is one state, and one core, per process. */
#ifndef LH_SHIM_H
#define LH_SHIM_H

#include "shim_abi.h"
#include "shim_api.h"

enum { LH_PORTS = 8, LH_LOG_LINES = 512, LH_LOG_WIDTH = 1024 };

struct lh_buffer {
    uint8_t *data;
    size_t size, capacity;
};

struct lh_span {
    lh_region region;
    uint8_t *memory;
};

/* A picture in the core's memory, valid only during the core's callback. */
struct lh_drawn {
    const void *pixels;
    unsigned width, height, pixel_format;
    size_t pitch;
};

struct lh_state {
    void *library;
    uint64_t library_base; /* the library's address; 0: not looked up yet */
    bool initialized, game_loaded;
    struct abi_core core;
    struct abi_av_info av;
    const char *core_path, *system_dir, *save_dir;
    struct abi_game_info game; /* kept, because melonDS reads it again at a reset */
    char error[512];
    int code; /* a failure inside a callback or the core, which Python raises after the call */
    int hw_render; /* the kind of hardware rendering that was refused last; 0: none */
    char hw_error[256];
    bool shutdown;
    struct lh_buffer inputs;      /* lh_input[] */
    struct lh_buffer subsystems;  /* lh_subsystem[] */
    struct lh_buffer files;       /* struct abi_game_info[]: files of a subsystem's game */

    unsigned pixel_format, rotation;
    bool may_duplicate, picture_wanted, drew, has_screen, audio_wanted;
    unsigned card_width, card_height; /* of a picture in OpenGL that is not read yet; 0: none */
    lh_picture screen;
    const lh_view *view; /* wanted of the current frame; NULL: none */
    bool screen_is_newest; /* no view was written after the screen was kept */
    struct lh_buffer screen_pixels, pictures, picture_pixels, audio;
    uint16_t masks[LH_PORTS];
    struct lh_buffer axes;    /* lh_axis[] */
    bool has_disc_axes;
    struct abi_disc_control discs; /* all zero: the core has no drive, or one that never opens */
    size_t mask_columns;      /* button masks in a row of inputs; axes follow */
    const uint16_t *row;      /* inputs of the current frame; NULL: no frame runs */
    size_t row_columns;
    bool asked_buttons;       /* in the current frame */
    struct lh_buffer lag;     /* uint32_t[]: frames of the run in which the core asked for no button */
    uint64_t picture_limit; /* pixels; 0: no limit */
    bool hash_wanted;
    uint32_t picture_hash; /* of the current frame; 0: nothing was drawn, or by OpenGL */

    uint64_t rambase;
    bool has_maps, spans_from_maps;
    unsigned maps_generation, spans_generation;
    struct lh_buffer maps;    /* struct abi_memory_descriptor[] */
    struct lh_buffer spans;   /* struct lh_span[]: sorted, never overlapping */
    struct lh_buffer blanks;  /* memory of blocks that the core announced without memory */
    struct lh_buffer windows; /* lh_window[]: ascending and apart; empty: all memory counts */
    struct lh_buffer regions; /* lh_region[] */
    uint64_t ram_bytes, whole_ram_bytes;
    size_t chip_bytes; /* size of the cartridge's save chip, as announced at load */
    struct lh_buffer before; /* flat RAM of the frame before */
    struct lh_buffer change_offsets, change_values;

    struct lh_buffer options;   /* lh_option[]: declared by the core */
    struct lh_buffer overrides; /* struct abi_variable[]: set by lh_set_option, declared or not */
    bool options_changed;
    struct lh_buffer messages; /* const char *[] */
};

/* Defines the function that returns all structures of one kind, from the buffer of that name. */
#define LH_LIST(kind, name)                       \
    size_t lh_##name(const lh_##kind **out) {     \
        *out = (const lh_##kind *)lh.name.data;   \
        return lh.name.size / sizeof **out;       \
    }

extern struct lh_state lh;
extern uint64_t *lh_pulse; /* see lh_set_pulse */

bool lh_reserve(struct lh_buffer *buffer, size_t capacity);
void *lh_append(struct lh_buffer *buffer, size_t bytes);
const char *lh_keep(const char *text); /* a copy that lives until lh_close; NULL stays NULL */
void lh_forget_all(void);
void lh_release(struct lh_buffer *buffer);

void *lh_open_library(const char *path);
/* Some cores use memory that they never cleared (fceumm does for work RAM and flash). Blocks that the library
 * allocates come zeroed from now on, so that two boots are the same, whatever ran in the process before. */
void lh_zero_blocks(void *library);
void *lh_find_symbol(void *library, const char *name);
void lh_close_library(void *library);
const char *lh_loader_error(void);

void lh_set_callbacks(void);
void lh_guard_core(void);
void lh_guarded(void (*function)(void));
void lh_show_late(void);
int lh_fail(int code, const char *format, ...);

bool lh_option_command(unsigned command, void *data, bool *answer);

void lh_log_write(int level, const char *format, ...);
void lh_log_clear(void);

size_t lh_view_bytes(const lh_view *view);
uint8_t *lh_view_at(const lh_plan *plan, size_t frame);
void lh_write_view(const lh_view *view, uint8_t *to, const struct lh_drawn *drawn);
uint32_t lh_hash_picture(const struct lh_drawn *drawn); /* never 0 */

bool lh_gl_request(struct abi_hw_render *request);
void lh_gl_enter(void);
void lh_gl_leave(void);
void lh_gl_settle(void);
void lh_gl_resize(void);
void lh_gl_destroy(void); /* informs the core, which may still call OpenGL until lh_gl_close */
void lh_gl_close(void);
const void *lh_gl_read(unsigned width, unsigned height); /* XRGB8888, top row first */

int16_t lh_axis_value(unsigned port, unsigned device, unsigned index, unsigned id);
void lh_change_disc(void);

bool lh_memory_maps(const struct abi_memory_map *map);
int lh_resolve_spans(void);
int lh_refresh_spans(void);
size_t lh_chip_part(void);
void lh_save_chip(uint8_t *end);
size_t lh_without_chip(const uint8_t *state, size_t size);
void lh_restore_chip(const uint8_t *part, size_t size);
int lh_capture_begin(const lh_plan *plan);
int lh_capture_frame(const lh_plan *plan, size_t frame);

#endif
