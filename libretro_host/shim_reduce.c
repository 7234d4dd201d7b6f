/* Makes pictures smaller for agents: the brighter of two frames, converted to gray, areas averaged.
 *
 * All sums are integers, so that the simple code of the tests gets exactly the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "shim.h"

typedef struct {
    const lh_reduction *wanted;
    const uint8_t *newest, *older; /* older: NULL without one */
    size_t channels;
    uint8_t *bright, *gray; /* one row of the picture: the brighter of two, and gray */
    uint32_t *tall; /* a new row at its old width: old rows times shares, which sum to the old height */
    uint64_t *before; /* the sum of tall left of each pixel */
} work;

/* ITU-R BT.601 in thousandths, rounded to the nearest. */
#if defined(__x86_64__) && defined(__gnu_linux__)
__attribute__((target_clones("avx2", "default"))) /* takes half as long */
#endif
static void make_gray(const uint8_t *restrict rgb, uint8_t *restrict gray, size_t width) {
    for (size_t x = 0; x < width; x++)
        gray[x] = (uint8_t)((299u * rgb[3 * x] + 587u * rgb[3 * x + 1] + 114u * rgb[3 * x + 2] +
                             500) / 1000);
}

static const uint8_t *make_line(const work *w, size_t y) {
    size_t width = w->wanted->width, size = width * 3;
    const uint8_t *line = w->newest + y * size;
    if (w->older) {
        const uint8_t *one = line, *other = w->older + y * size;
        for (size_t i = 0; i < size; i++)
            w->bright[i] = one[i] > other[i] ? one[i] : other[i];
        line = w->bright;
    }
    if (!w->wanted->gray)
        return line;
    make_gray(line, w->gray, width);
    return w->gray;
}

static size_t overlap(size_t a, size_t a_end, size_t b, size_t b_end) {
    return (a_end < b_end ? a_end : b_end) - (a > b ? a : b);
}

/* Makes a line of m pixels from one of n: new pixel i covers the old ones from i * n / m up to
 * (i + 1) * n / m. Their sum is the difference of two running sums from the left edge. */
static void write_row(const work *w, uint8_t *out) {
    size_t old = w->wanted->width, new = w->wanted->out_width, channels = w->channels;
    double parts = (double)old * w->wanted->height;
    for (size_t at = 0; at < old * channels; at++)
        w->before[at + channels] = w->before[at] + w->tall[at];
    for (size_t c = 0; c < channels; c++) {
        uint64_t from = 0;
        for (size_t i = 0, x = 0, rest = 0; i < new; i++) {
            x += old / new;
            rest += old % new;
            if (rest >= new) {
                rest -= new;
                x++;
            }
            uint64_t to = new * w->before[x * channels + c] + rest * w->tall[x * channels + c];
            /* Exact: a quotient of integers of this size is either whole, or further from a whole
             * number than the rounding error of a double. */
            out[i * channels + c] = (uint8_t)((2.0 * (double)(to - from) + parts) / (2.0 * parts));
            from = to;
        }
    }
}

static void shrink(const work *w, uint8_t *out) {
    size_t old = w->wanted->height, new = w->wanted->out_height;
    size_t row = w->wanted->width * w->channels;
    size_t made = old; /* the row that `line` holds; `old` means none yet */
    const uint8_t *line = NULL;
    for (size_t i = 0; i < new; i++, out += w->wanted->out_width * w->channels) {
        size_t from = i * old, to = from + old;
        memset(w->tall, 0, row * sizeof *w->tall);
        for (size_t y = from / new; y * new < to; y++) {
            uint32_t share = (uint32_t)overlap(from, to, y * new, (y + 1) * new);
            if (y != made)
                line = make_line(w, made = y);
            for (size_t x = 0; x < row; x++)
                w->tall[x] += share * line[x];
        }
        write_row(w, out);
    }
}

int lh_reduce(const lh_reduction *wanted, const uint8_t *newest, const uint8_t *older,
              uint8_t *out) {
    work w = {wanted, newest, older, wanted->gray ? 1 : 3, NULL, NULL, NULL, NULL};
    size_t row = wanted->width * w.channels;
    w.bright = malloc((size_t)wanted->width * 3);
    w.gray = malloc(wanted->width);
    /* One pixel more: it is 0 in `tall`, and holds the sum of the whole line in `before`. */
    w.tall = calloc(row + w.channels, sizeof *w.tall);
    w.before = calloc(row + w.channels, sizeof *w.before);
    int code = w.bright && w.gray && w.tall && w.before ? LH_OK : LH_NO_MEMORY;
    bool same = wanted->width == wanted->out_width && wanted->height == wanted->out_height;
    for (unsigned y = 0; code == LH_OK && same && y < wanted->height; y++, out += row)
        memcpy(out, make_line(&w, y), row);
    if (code == LH_OK && !same)
        shrink(&w, out);
    free(w.bright);
    free(w.gray);
    free(w.tall);
    free(w.before);
    return code;
}
