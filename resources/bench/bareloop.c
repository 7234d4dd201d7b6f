/* bareloop: the speed limit of a core. A C loop around retro_run with empty callbacks.
 *
 *   cc -std=gnu11 -O2 -I libretro_host -o bareloop resources/bench/bareloop.c -ldl
 *   ./bareloop CORE CONTENT FRAMES [--state FILE] [--repeat N] [--system DIR] [KEY=VALUE...]
 *
 * FILE is a raw state (gunzip a .state first), restored before each repetition. KEY=VALUE are core
 * options; others are answered with "not set". For a fair comparison pass the value of every
 * option that the core declares.
 * Prints one JSON object: {"core", "frames", "seconds": [one per repetition], "best_fps"}.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "shim_abi.h"

static char **options;
static int option_count;
static const char *system_dir = ".";

static void ignore_log(int level, const char *format, ...) { (void)level, (void)format; }

static bool get_option(struct abi_variable *variable) {
    size_t length = strlen(variable->key);
    for (int i = 0; i < option_count; i++)
        if (!strncmp(options[i], variable->key, length) && options[i][length] == '=') {
            variable->value = options[i] + length + 1;
            return true;
        }
    return false; /* value stays as it was: some cores die of a NULL */
}

static bool on_environment(unsigned command, void *data) {
    switch (command) {
    case ENV_GET_VARIABLE: return get_option(data);
    case ENV_GET_SYSTEM_DIRECTORY: *(const char **)data = system_dir; return true;
    case ENV_GET_CAN_DUPE: return *(bool *)data = true;
    case ENV_GET_LOG_INTERFACE: ((struct abi_log_interface *)data)->log = ignore_log; return true;
    case ENV_GET_INPUT_BITMASKS:
    case ENV_SET_MEMORY_MAPS:
    case ENV_SET_PIXEL_FORMAT: return true;
    default: return false;
    }
}

static void on_video(const void *pixels, unsigned width, unsigned height, size_t pitch) {
    (void)pixels, (void)width, (void)height, (void)pitch;
}
static void on_audio(int16_t left, int16_t right) { (void)left, (void)right; }
static size_t on_audio_batch(const int16_t *samples, size_t frames) {
    (void)samples;
    return frames;
}
static void on_input_poll(void) {}
static int16_t on_input_state(unsigned port, unsigned device, unsigned index, unsigned id) {
    (void)port, (void)device, (void)index, (void)id;
    return 0;
}

static void quit(const char *what, const char *detail) {
    fprintf(stderr, "bareloop: %s: %s\n", what, detail);
    exit(1);
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found)
        quit("not a libretro core, it lacks", name);
    return found;
}

static struct abi_core open_core(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        quit("cannot load", dlerror());
    struct abi_core core = {0};
    core.set_environment = symbol(library, "retro_set_environment");
    core.set_video_refresh = symbol(library, "retro_set_video_refresh");
    core.set_audio_sample = symbol(library, "retro_set_audio_sample");
    core.set_audio_sample_batch = symbol(library, "retro_set_audio_sample_batch");
    core.set_input_poll = symbol(library, "retro_set_input_poll");
    core.set_input_state = symbol(library, "retro_set_input_state");
    core.init = symbol(library, "retro_init");
    core.run = symbol(library, "retro_run");
    core.unserialize = symbol(library, "retro_unserialize");
    core.load_game = symbol(library, "retro_load_game");
    core.set_environment(on_environment);
    core.set_video_refresh(on_video);
    core.set_audio_sample(on_audio);
    core.set_audio_sample_batch(on_audio_batch);
    core.set_input_poll(on_input_poll);
    core.set_input_state(on_input_state);
    core.init();
    return core;
}

static void *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        quit("cannot read", path);
    *size = (size_t)ftell(file);
    void *data = malloc(*size + 1);
    rewind(file);
    if (!data || fread(data, 1, *size, file) != *size)
        quit("cannot read", path);
    fclose(file);
    return data;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *state;
static size_t state_size;

static void measure(const struct abi_core *core, const char *path, long frames, long repeat) {
    double best = 0;
    printf("{\"core\": \"%s\", \"frames\": %ld, \"seconds\": [", path, frames);
    for (long i = 0; i < repeat; i++) {
        if (state && !core->unserialize(state, state_size))
            quit("the core refused", "the state");
        double start = now();
        for (long frame = 0; frame < frames; frame++)
            core->run();
        double seconds = now() - start;
        printf("%s%.6f", i ? ", " : "", seconds);
        if (!i || seconds < best)
            best = seconds;
    }
    printf("], \"best_fps\": %.1f}\n", frames / best);
}

int main(int count, char **arguments) {
    long repeat = 1;
    if (count < 4)
        quit("usage", "bareloop CORE CONTENT FRAMES [--state FILE] [--repeat N] [KEY=VALUE...]");
    options = malloc(sizeof *options * (size_t)count);
    for (int i = 4; i < count; i++) {
        bool has_value = i + 1 < count;
        if (!strcmp(arguments[i], "--state") && has_value)
            state = read_file(arguments[++i], &state_size);
        else if (!strcmp(arguments[i], "--repeat") && has_value)
            repeat = atol(arguments[++i]);
        else if (!strcmp(arguments[i], "--system") && has_value)
            system_dir = arguments[++i];
        else if (strchr(arguments[i], '='))
            options[option_count++] = arguments[i];
        else
            quit("unknown argument", arguments[i]);
    }
    struct abi_core core = open_core(arguments[1]);
    struct abi_game_info game = {arguments[2], NULL, 0, NULL};
    game.data = read_file(arguments[2], &game.size);
    if (!core.load_game(&game))
        quit("the core refused", arguments[2]);
    measure(&core, arguments[1], atol(arguments[3]), repeat);
    return 0;
}
