/* Pictures made smaller for agents: the brighter of two frames, gray, means of areas.
 *
 * All sums are integers, so that the plain code that the tests compare with gets the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "shim.h"

typedef struct {
    const lh_reduction *wanted;
    const uint8_t *newest, *older; /* older: NULL without one */
    size_t channels;
    uint8_t *line;    /* one row of the picture, brightest of two, gray when wanted */
    uint32_t *across; /* that row at its new width, each sum over wanted->width parts */
    uint64_t *down;   /* a new row, each sum over wanted->height times as many parts */
} work;

static void make_line(const work *w, unsigned y) {
    size_t width = w->wanted->width, size = width * 3;
    const uint8_t *from = w->newest + y * size;
    uint8_t *to = w->line;
    memcpy(to, from, size);
    if (w->older)
        for (size_t i = 0; i < size; i++)
            to[i] = to[i] > w->older[y * size + i] ? to[i] : w->older[y * size + i];
    /* ITU-R BT.601 in thousandths, rounded to the nearest. */
    for (size_t x = 0; w->wanted->gray && x < width; x++)
        to[x] = (uint8_t)((299u * to[3 * x] + 587u * to[3 * x + 1] + 114u * to[3 * x + 2] + 500) /
                          1000);
}

static size_t overlap(size_t a, size_t a_end, size_t b, size_t b_end) {
    return (a_end < b_end ? a_end : b_end) - (a > b ? a : b);
}

/* A line of n pixels becomes one of m: new pixel i covers the old ones from i * n / m on. */
static void make_across(const work *w) {
    size_t old = w->wanted->width, new = w->wanted->out_width, channels = w->channels;
    for (size_t i = 0; i < new; i++) {
        size_t from = i * old, to = from + old;
        uint32_t sums[3] = {0, 0, 0};
        for (size_t x = from / new; x * new < to; x++) {
            uint32_t share = (uint32_t)overlap(from, to, x * new, (x + 1) * new);
            for (size_t c = 0; c < channels; c++)
                sums[c] += share * w->line[x * channels + c];
        }
        memcpy(w->across + i * channels, sums, channels * sizeof *sums);
    }
}

static void shrink(const work *w, uint8_t *out) {
    const lh_reduction *wanted = w->wanted;
    size_t old = wanted->height, new = wanted->out_height, row = wanted->out_width * w->channels;
    uint64_t parts = (uint64_t)wanted->width * wanted->height;
    size_t made = old; /* the row that across holds; none yet */
    for (size_t i = 0; i < new; i++, out += row) {
        size_t from = i * old, to = from + old;
        memset(w->down, 0, row * sizeof *w->down);
        for (size_t y = from / new; y * new < to; y++) {
            uint64_t share = overlap(from, to, y * new, (y + 1) * new);
            if (y != made) {
                make_line(w, (unsigned)y);
                make_across(w);
                made = y;
            }
            for (size_t x = 0; x < row; x++)
                w->down[x] += share * w->across[x];
        }
        for (size_t x = 0; x < row; x++)
            out[x] = (uint8_t)((2 * w->down[x] + parts) / (2 * parts));
    }
}

int lh_reduce(const lh_reduction *wanted, const uint8_t *newest, const uint8_t *older,
              uint8_t *out) {
    work w = {wanted, newest, older, wanted->gray ? 1 : 3, NULL, NULL, NULL};
    size_t row = wanted->out_width * w.channels;
    w.line = malloc((size_t)wanted->width * 3);
    w.across = malloc(row * sizeof *w.across);
    w.down = malloc(row * sizeof *w.down);
    int code = w.line && w.across && w.down ? LH_OK : LH_NO_MEMORY;
    bool same = wanted->width == wanted->out_width && wanted->height == wanted->out_height;
    for (unsigned y = 0; code == LH_OK && same && y < wanted->height; y++, out += row) {
        make_line(&w, y);
        memcpy(out, w.line, row);
    }
    if (code == LH_OK && !same)
        shrink(&w, out);
    free(w.line);
    free(w.across);
    free(w.down);
    return code;
}
