/* The part of the libretro ABI that the shim uses: numbers, struct layouts and signatures.
 * These are our own declarations of published facts, with names in our own style. */
#ifndef LH_SHIM_ABI_H
#define LH_SHIM_ABI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ABI_VERSION = 1, ABI_OPTION_VALUES = 128, ABI_MEMORY_SAVE_RAM = 0, ABI_MEMORY_SYSTEM_RAM = 2 };
enum { ABI_DEVICE_JOYPAD = 1, ABI_DEVICE_MOUSE = 2, ABI_DEVICE_LIGHTGUN = 4 };
enum { ABI_DEVICE_ANALOG = 5, ABI_DEVICE_POINTER = 6, ABI_DEVICE_MASK = 0xFF };
enum { ABI_JOYPAD_BUTTONS = 16, ABI_JOYPAD_MASK = 256, ABI_ANALOG_INDEX_BUTTON = 2 };
enum { ABI_MEMDESC_CONST = 1, ABI_QUIRK_FRONT_VARIABLE_SIZE = 1 << 3 };

/* Environment commands; those above 0x10000 are marked experimental by the standard. */
enum abi_environment {
    ENV_SET_ROTATION = 1,
    ENV_GET_OVERSCAN = 2,
    ENV_GET_CAN_DUPE = 3,
    ENV_SET_MESSAGE = 6,
    ENV_SHUTDOWN = 7,
    ENV_SET_PERFORMANCE_LEVEL = 8,
    ENV_GET_SYSTEM_DIRECTORY = 9,
    ENV_SET_PIXEL_FORMAT = 10,
    ENV_SET_INPUT_DESCRIPTORS = 11,
    ENV_SET_DISK_CONTROL_INTERFACE = 13,
    ENV_SET_HW_RENDER = 14,
    ENV_GET_VARIABLE = 15,
    ENV_SET_VARIABLES = 16,
    ENV_GET_VARIABLE_UPDATE = 17,
    ENV_SET_SUPPORT_NO_GAME = 18,
    ENV_GET_LIBRETRO_PATH = 19,
    ENV_GET_INPUT_DEVICE_CAPABILITIES = 24,
    ENV_GET_LOG_INTERFACE = 27,
    ENV_GET_PERF_INTERFACE = 28,
    ENV_GET_CORE_ASSETS_DIRECTORY = 30,
    ENV_GET_SAVE_DIRECTORY = 31,
    ENV_SET_SYSTEM_AV_INFO = 32,
    ENV_SET_SUBSYSTEM_INFO = 34,
    ENV_SET_CONTROLLER_INFO = 35,
    ENV_SET_MEMORY_MAPS = 0x10000 | 36,
    ENV_SET_GEOMETRY = 37,
    ENV_GET_LANGUAGE = 39,
    ENV_SET_SUPPORT_ACHIEVEMENTS = 0x10000 | 42,
    ENV_SET_SERIALIZATION_QUIRKS = 44,
    ENV_GET_AUDIO_VIDEO_ENABLE = 0x10000 | 47,
    ENV_GET_FASTFORWARDING = 0x10000 | 49,
    ENV_GET_INPUT_BITMASKS = 0x10000 | 51,
    ENV_GET_CORE_OPTIONS_VERSION = 52,
    ENV_SET_CORE_OPTIONS = 53,
    ENV_SET_CORE_OPTIONS_INTL = 54,
    ENV_SET_CORE_OPTIONS_DISPLAY = 55,
    ENV_GET_PREFERRED_HW_RENDER = 56,
    ENV_GET_MESSAGE_INTERFACE_VERSION = 59,
    ENV_SET_MESSAGE_EXT = 60,
    ENV_SET_CORE_OPTIONS_V2 = 67,
    ENV_SET_CORE_OPTIONS_V2_INTL = 68,
    ENV_SET_CORE_OPTIONS_UPDATE_DISPLAY = 69,
    ENV_SET_VARIABLE = 70
};

/* Kinds of hardware rendering; those above HW_OPENGL_ES_VERSION are no OpenGL. */
enum abi_hw_context {
    HW_NONE = 0,
    HW_OPENGL = 1,
    HW_OPENGL_ES2 = 2,
    HW_OPENGL_CORE = 3,
    HW_OPENGL_ES3 = 4,
    HW_OPENGL_ES_VERSION = 5,
    HW_VULKAN = 6
};

struct abi_hw_render {
    unsigned context_type;
    void (*context_reset)(void);
    uintptr_t (*get_current_framebuffer)(void);
    void *(*get_proc_address)(const char *);
    bool depth, stencil, bottom_left_origin;
    unsigned version_major, version_minor;
    bool cache_context;
    void (*context_destroy)(void);
    bool debug_context;
};

struct abi_system_info {
    const char *library_name;
    const char *library_version;
    const char *valid_extensions;
    bool need_fullpath;
    bool block_extract;
};

struct abi_geometry {
    unsigned base_width, base_height, max_width, max_height;
    float aspect_ratio;
};

struct abi_timing {
    double fps, sample_rate;
};

struct abi_av_info {
    struct abi_geometry geometry;
    struct abi_timing timing;
};

struct abi_game_info {
    const char *path;
    const void *data;
    size_t size;
    const char *meta;
};

struct abi_variable {
    const char *key;
    const char *value;
};

struct abi_option_value {
    const char *value;
    const char *label;
};

struct abi_option_v1 {
    const char *key, *title, *help;
    struct abi_option_value values[ABI_OPTION_VALUES];
    const char *default_value;
};

struct abi_options_v1_intl {
    struct abi_option_v1 *english, *local;
};

struct abi_option_v2 {
    const char *key, *title, *title_in_category, *help, *help_in_category, *category;
    struct abi_option_value values[ABI_OPTION_VALUES];
    const char *default_value;
};

struct abi_options_v2 {
    void *categories;
    struct abi_option_v2 *definitions;
};

struct abi_options_v2_intl {
    struct abi_options_v2 *english, *local;
};

struct abi_message {
    const char *text;
    unsigned frames;
};

/* The fields after text (duration, priority, level, target, type, progress) are not used here. */
struct abi_message_ext {
    const char *text;
};

struct abi_memory_descriptor {
    uint64_t flags;
    void *memory;
    size_t offset, start, select, disconnect, length;
    const char *name;
};

struct abi_memory_map {
    const struct abi_memory_descriptor *descriptors;
    unsigned count;
};

/* Extensions are separated by "|"; memories are files that a core saves, which are not used here. */
struct abi_subsystem_rom {
    const char *title, *extensions;
    bool need_fullpath, block_extract, required;
    const void *memories;
    unsigned memory_count;
};

/* A list ends with an entry whose name is NULL. */
struct abi_subsystem {
    const char *title, *name;
    const struct abi_subsystem_rom *roms;
    unsigned rom_count, id;
};

/* A list ends with an entry whose text is NULL. */
struct abi_input_descriptor {
    unsigned port, device, index, id;
    const char *text;
};

/* The disc drive of a core; an index past the last image means a closed tray without a disc. */
struct abi_disc_control {
    bool (*set_eject_state)(bool ejected);
    bool (*get_eject_state)(void);
    unsigned (*get_image_index)(void);
    bool (*set_image_index)(unsigned index);
    unsigned (*get_num_images)(void);
    bool (*replace_image_index)(unsigned index, const struct abi_game_info *);
    bool (*add_image_index)(void);
};

typedef void (*abi_log_fn)(int level, const char *format, ...);
struct abi_log_interface {
    abi_log_fn log;
};

struct abi_perf_counter {
    const char *name;
    uint64_t start, total, calls;
    bool registered;
};

struct abi_perf_interface {
    int64_t (*get_time_usec)(void);
    uint64_t (*get_cpu_features)(void);
    uint64_t (*get_counter)(void);
    void (*register_counter)(struct abi_perf_counter *);
    void (*start)(struct abi_perf_counter *);
    void (*stop)(struct abi_perf_counter *);
    void (*log)(void);
};

typedef bool (*abi_environment_fn)(unsigned, void *);
typedef void (*abi_video_fn)(const void *, unsigned, unsigned, size_t);
typedef void (*abi_audio_fn)(int16_t, int16_t);
typedef size_t (*abi_audio_batch_fn)(const int16_t *, size_t);
typedef void (*abi_input_poll_fn)(void);
typedef int16_t (*abi_input_state_fn)(unsigned, unsigned, unsigned, unsigned);

/* The entry points of a core, in the order in which the shim looks them up. Only games of several
 * files need the last one. */
struct abi_core {
    unsigned (*api_version)(void);
    void (*init)(void);
    void (*deinit)(void);
    void (*set_environment)(abi_environment_fn);
    void (*set_video_refresh)(abi_video_fn);
    void (*set_audio_sample)(abi_audio_fn);
    void (*set_audio_sample_batch)(abi_audio_batch_fn);
    void (*set_input_poll)(abi_input_poll_fn);
    void (*set_input_state)(abi_input_state_fn);
    void (*get_system_info)(struct abi_system_info *);
    void (*get_system_av_info)(struct abi_av_info *);
    void (*set_controller_port_device)(unsigned, unsigned);
    void (*reset)(void);
    void (*run)(void);
    size_t (*serialize_size)(void);
    bool (*serialize)(void *, size_t);
    bool (*unserialize)(const void *, size_t);
    bool (*load_game)(const struct abi_game_info *);
    void (*unload_game)(void);
    void *(*get_memory_data)(unsigned);
    size_t (*get_memory_size)(unsigned);
    bool (*load_game_special)(unsigned, const struct abi_game_info *, size_t);
};

#endif
