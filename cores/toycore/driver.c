/* driver CORE CONTENT: loads a core through the shim, runs it as the program would, and prints what
 * came out, a line each. Systems on which no Python runs can so be compared with those where it does. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "shim_api.h"

enum { FRAMES = 60, PORTS = 2, BUTTON_A = 1 << 8 };

/* FNV-1a */
static uint32_t hash(const void *data, size_t size) {
    uint32_t value = 2166136261u;
    for (size_t i = 0; i < size; i++)
        value = (value ^ ((const uint8_t *)data)[i]) * 16777619u;
    return value;
}

static void check(int code, const char *what) {
    printf("%s: %d %s\n", what, code, code ? lh_error() : "");
    fflush(stdout);
    if (code)
        exit(1);
}

/* RAM of all frames, the last picture and the sound of a run. */
static void run(const char *what) {
    uint16_t inputs[FRAMES * PORTS];
    for (size_t i = 0; i < FRAMES * PORTS; i++)
        inputs[i] = i % 3 ? BUTTON_A : 0;
    size_t size = (size_t)lh_ram_bytes() * FRAMES;
    uint8_t *ram = malloc(size);
    lh_plan plan = {.inputs = inputs, .frames = FRAMES, .ports = PORTS, .ram = ram, .picture = 1, .audio = 1};
    lh_result result;
    int code = ram ? lh_run(&plan, &result) : LH_NO_MEMORY;
    if (!code)
        printf("ram %08x picture %08x sound %08x\n", hash(ram, size),
               hash(result.screen_pixels, result.screen.pitch * result.screen.height),
               hash(result.audio, result.audio_frames * 2 * sizeof(int16_t)));
    free(ram);
    check(code, what);
}

int main(int count, char **arguments) {
    if (count != 3)
        return 2;
    check(lh_prepare(".", "."), "prepare");
    check(lh_open(arguments[1]), "open");
    lh_system_info system;
    lh_system(&system);
    printf("%s %s %s\n", system.library_name, system.library_version, system.valid_extensions);
    FILE *file = fopen(arguments[2], "rb");
    static char content[4096];
    size_t length = file ? fread(content, 1, sizeof content, file) : 0;
    if (file)
        fclose(file);
    check(lh_load_game(arguments[2], content, length, 0), "load");
    run("run");
    size_t size = lh_serialize_size();
    void *state = calloc(1, size); /* cores need not fill it */
    check(lh_serialize(state, size), "serialize");
    printf("state %08x of %u bytes\n", hash(state, size), (unsigned)size);
    run("on");
    check(lh_unserialize(state, size), "unserialize");
    run("on again");
    free(state);
    lh_close();
    return 0;
}
