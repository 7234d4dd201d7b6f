/* Owns the state that all parts of the shim share: its strings, its growing buffers, its failures. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shim.h"

struct lh_state lh;

/* ---- failures ---- */

int lh_fail(int code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(lh.error, sizeof lh.error, format, arguments);
    va_end(arguments);
    return code;
}

const char *lh_error(void) { return lh.error; }

int lh_failure(void) {
    int code = lh.code;
    lh.code = LH_OK;
    return code;
}

/* ---- strings and buffers ---- */

static struct lh_buffer kept;

bool lh_reserve(struct lh_buffer *buffer, size_t capacity) {
    if (capacity <= buffer->capacity)
        return true;
    size_t larger = buffer->capacity * 2 > capacity ? buffer->capacity * 2 : capacity;
    uint8_t *data = realloc(buffer->data, larger);
    if (!data) {
        lh.code = LH_NO_MEMORY;
        return false;
    }
    buffer->data = data;
    buffer->capacity = larger;
    return true;
}

void *lh_append(struct lh_buffer *buffer, size_t bytes) {
    if (!lh_reserve(buffer, buffer->size + bytes))
        return NULL;
    void *place = buffer->data + buffer->size;
    buffer->size += bytes;
    return place;
}

const char *lh_keep(const char *text) {
    if (!text)
        return NULL;
    size_t length = strlen(text) + 1;
    char *copy = malloc(length);
    char **slot = copy ? lh_append(&kept, sizeof *slot) : NULL;
    if (!slot) {
        free(copy);
        lh.code = LH_NO_MEMORY;
        return NULL;
    }
    memcpy(copy, text, length);
    *slot = copy;
    return copy;
}

void lh_release(struct lh_buffer *buffer) {
    free(buffer->data);
    memset(buffer, 0, sizeof *buffer);
}

void lh_forget_all(void) {
    char **strings = (char **)kept.data;
    for (size_t i = 0; i < kept.size / sizeof *strings; i++)
        free(strings[i]);
    lh_release(&kept);
    struct lh_buffer *buffers[] = {
        &lh.screen_pixels,  &lh.pictures,      &lh.picture_pixels, &lh.audio,
        &lh.maps,        &lh.spans,          &lh.regions,       &lh.before,         &lh.options,
        &lh.overrides,   &lh.change_offsets, &lh.change_values, &lh.messages,       &lh.windows,
        &lh.inputs,      &lh.lag,            &lh.axes,          &lh.subsystems,     &lh.files,
        &lh.blanks,
    };
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        lh_release(buffers[i]);
}
