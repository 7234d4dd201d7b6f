/* The shim as Python sees it. scripts/extensions.py hands this file to cffi as it stands, so it holds
 * declarations only: no includes, no macros. Strings belong to the shim and live until lh_close. */

enum lh_code {
    LH_OK = 0,
    LH_BUSY,          /* another core is open in this process */
    LH_CLOSED,        /* no core is open */
    LH_NO_LIBRARY,    /* the dynamic loader refused the file */
    LH_NOT_A_CORE,    /* an entry point is missing */
    LH_WRONG_API,     /* retro_api_version is not 1 */
    LH_REFUSED,       /* the core answered false */
    LH_NO_MEMORY,     /* a buffer could not grow */
    LH_LAYOUT,        /* the core moved or resized its memory while running */
    LH_OUT_OF_RANGE,  /* a span lies outside the flat RAM */
    LH_SHUTDOWN,      /* the core asked to be shut down */
    LH_THREW,         /* a C++ exception came out of the core; lh_error() has its text */
    LH_ABSURD         /* the core handed over an impossible value; lh_error() names it */
};

typedef struct {
    const char *library_name, *library_version, *valid_extensions;
    int need_fullpath;
} lh_system_info;

typedef struct {
    unsigned base_width, base_height, max_width, max_height;
    float aspect_ratio;
    double fps, sample_rate;
} lh_av_info;

typedef struct {
    uint64_t address, size;
    const char *name;
} lh_region;

typedef struct {
    uint64_t address, size;
} lh_window;

/* The answer to a core's question for an axis: a column of a row of inputs, read as int16, times
 * scale, plus shift. */
typedef struct {
    unsigned column, port, device, index, id;
    double scale, shift;
} lh_axis;

/* A device that libretro lacks: the disc drive. Its ids 0 and 1 open and close the tray, and its id 2
 * is the index of the disc to close the tray with; -1: none. */
enum { LH_DEVICE_DISC = 255 };

typedef struct {
    const char *key, *title, *help, *default_value, *value;
    const char *values[128];
    size_t value_count;
} lh_option;

typedef struct {
    unsigned port, device, index, id;
    const char *text;
} lh_input;

/* A file of a game of several files; extensions are separated by "|". */
typedef struct {
    const char *title, *extensions;
    int need_fullpath, required;
} lh_subsystem_rom;

/* A kind of game that a core loads from several files, or in another way than its other games. */
typedef struct {
    const char *name, *title;
    unsigned id;
    lh_subsystem_rom roms[16];
    size_t rom_count;
} lh_subsystem;

typedef struct {
    size_t offset; /* of its pixels in lh_result.picture_pixels */
    size_t pitch;  /* bytes from one row to the next */
    unsigned width, height, pixel_format, rotation;
    int duplicate;
} lh_picture;

typedef struct {
    size_t offset, length;
} lh_range;

/* A rectangle of each frame's picture, in the colors of training: rgb is
 * [2][bottom - top][right - left][3], uint8. The last frame's view comes first, the one before it second;
 * earlier ones are overwritten. A run of one frame needs no second one. */
typedef struct {
    unsigned left, top, right, bottom;
    uint8_t *rgb;
} lh_view;

/* Parts of a row of ranges_out, whose size is `row`; the row of the frame before the run precedes
 * ranges_out, and becomes the run's last row. The run ends early after a frame in which the parts
 * changed. `calm` is 1 if the last frame changed nothing, else 0; -1: the row of the frame before is
 * unknown. Run several frames only if it is 1: after a change, the next frame is another one, too,
 * because its difference is 0 again. */
typedef struct {
    const lh_range *parts;
    size_t count, row;
    int calm;
} lh_watch;

/* One run: inputs is [frames][ports], whose columns from the first axis on are axes. The output
 * pointers belong to the caller; NULL or 0 means not wanted. ram is [frames][flat RAM], ranges_out
 * [frames][sum of lengths], change_counts [frames]. */
typedef struct {
    const uint16_t *inputs;
    size_t frames, ports;
    uint8_t *ram;
    const lh_range *ranges;
    size_t range_count;
    uint8_t *ranges_out;
    int64_t *change_counts;
    int picture;
    size_t picture_every;
    int audio;
    lh_view *view;
    uint32_t *picture_hashes; /* [frames] */
    lh_watch *watch;
} lh_plan;

/* The results of a run, in buffers of the shim, which the next run overwrites. */
typedef struct {
    size_t frames;
    const uint32_t *change_offsets;
    const uint8_t *change_values;
    size_t change_total;
    const lh_picture *pictures;
    size_t picture_count;
    const uint8_t *picture_pixels;
    int has_screen;
    lh_picture screen;
    const uint8_t *screen_pixels;
    const int16_t *audio;
    size_t audio_frames;
    const uint32_t *lag; /* rows of inputs of which the core read no button */
    size_t lag_count;
    size_t repeats; /* first frames without a view, because it is that of the frame before the run */
} lh_result;

/* Sets the place of two numbers that another process may watch: the first is odd while the core works,
 * and changes with each call of the core; the second counts the frames since the core was opened. */
void lh_set_pulse(uint64_t *pulse);

int lh_prepare(const char *system_dir, const char *save_dir);
int lh_open(const char *path);
/* Before lh_load_game: only memory in windows is part of flat RAM. Windows are ascending and apart. */
int lh_add_window(uint64_t address, uint64_t size);
/* Before lh_load_game: adds an axis. The columns of axes follow those of button masks. */
int lh_add_axis(const lh_axis *axis);
/* Before lh_load_game: pictures of more pixels are refused. */
void lh_limit_picture(uint64_t pixels);
int lh_load_game(const char *path, const void *data, size_t size, uint64_t rambase);
/* Before lh_load_subsystem: adds the game's next file; NULL, NULL, 0 for a file that is left out. The
 * caller keeps data until lh_close. */
int lh_add_file(const char *path, const void *data, size_t size);
/* Instead of lh_load_game: loads a game from the files that were added. */
int lh_load_subsystem(unsigned id, uint64_t rambase);
void lh_close(void);
const char *lh_error(void);
int lh_failure(void); /* returns and clears the code of a failure in a call that returns no code */

void lh_system(lh_system_info *out);
void lh_av(lh_av_info *out);
int lh_hw_render(void); /* the kind of hardware rendering that was refused; 0: none */
const char *lh_hw_error(void);
int lh_shutdown_requested(void);
size_t lh_inputs(const lh_input **out); /* as the core describes them */
size_t lh_subsystems(const lh_subsystem **out);
void lh_set_port_device(unsigned port, unsigned device);

int lh_run(const lh_plan *plan, lh_result *out);
int lh_reset(void);
size_t lh_serialize_size(void); /* also 0 when the core threw: see lh_failure() */
int lh_serialize(void *data, size_t size);
/* Replaces addresses in a state by offsets; library is the address at which its core was loaded. */
void lh_hide_addresses(uint8_t *state, size_t size, uint64_t library);
uint64_t lh_library_base(void);
int lh_unserialize(const void *data, size_t size);

/* The index of the disc in the drive; -1 - index if the tray is open; 0 if no axis changes discs. */
int lh_disc(void);
int lh_put_disc(int disc);

size_t lh_regions(const lh_region **out);
uint64_t lh_ram_bytes(void);
uint64_t lh_whole_ram_bytes(void); /* memory outside of the windows included */
int lh_read_ram(uint8_t *out);
int lh_write_ram(uint64_t offset, const uint8_t *data, size_t size);

int lh_set_option(const char *key, const char *value);
size_t lh_options(const lh_option **out);

size_t lh_log_lines(void);
const char *lh_log_line(size_t index);
void lh_log_mirror(int fd); /* also write each line to a file descriptor at once; -1: stop that */
size_t lh_messages(const char *const **out);

/* The conversion of a picture of width x height RGB pixels to gray, to a smaller size, or to both;
 * out_width and out_height equal width and height if the size stays. */
typedef struct {
    unsigned width, height, out_width, out_height;
    int gray;
} lh_reduction;

/* Reduces the brighter of two pictures, pixel by pixel (older may be NULL). Needs no core. */
int lh_reduce(const lh_reduction *wanted, const uint8_t *newest, const uint8_t *older,
              uint8_t *out);

/* LH_WANTED: the crew shall run a task. LH_WHOLE: it ran all frames, and `reduced` is written. */
enum lh_task_state { LH_IDLE, LH_WANTED, LH_WHOLE };

/* The frames of one emulator, which a crew may run ahead, and the observation that is made of the last two.
 * The caller fills in the first group. */
typedef struct {
    int (*run)(const lh_plan *, lh_result *); /* lh_run of the shim that has the core; NULL: closed */
    lh_plan *plan;
    lh_result *result;
    lh_view *view;
    uint8_t *room;                 /* for the views of frames ahead */
    size_t ahead;                  /* frames to run */
    uint8_t *into;                 /* instead of room, if ahead is 1; or NULL */
    const lh_reduction *reduction; /* NULL: no observation is made */
    int maxpool;                   /* the brighter of two frames; then ahead is not 1 */
    uint8_t *reduced;              /* room for the observation */

    int state, code;
    size_t ran, taken, repeats; /* frames ahead */
} lh_task;

/* Gives the task's next frame: one that was run ahead, or else one that runs now. Its view is written into
 * pixels, unless result->repeats; its row precedes plan->ranges_out. */
int lh_next(lh_task *task, uint8_t *pixels);
/* Notes that another frame was restored: frames that were run ahead are dropped. */
void lh_follow(lh_task *task);

/* Threads that run tasks together; see shim_crew.cpp. The caller's is worker 0. */
typedef struct lh_crew lh_crew;
lh_crew *lh_crew_new(size_t workers, int may_spin);
void lh_crew_free(lh_crew *crew); /* after all threads but the caller's have left lh_crew_serve */
/* Runs tasks[i], if it is LH_WANTED, in worker i % workers. Returns 0 if some still run: call lh_crew_wait until it returns 1,
 * which returns at times, so that the caller can look for signals. Keep the tasks until then. */
int lh_crew_run(lh_crew *crew, lh_task *const *tasks, size_t count);
int lh_crew_wait(lh_crew *crew);
/* Runs the tasks of a worker in its thread until lh_crew_call was called for it once more. */
void lh_crew_serve(lh_crew *crew, size_t worker);
void lh_crew_call(lh_crew *crew, size_t worker);
