/* Writes the picture as training sees it: of a fixed size, in RGB, low bits of 16-bit colors cleared.
 *
 * stable-retro shifts the 5 or 6 bits of a channel up and leaves the bits below at 0. Pixels that
 * the core did not draw are black. */
#include <string.h>

#include "shim.h"

typedef void (*row_writer)(const void *from, uint8_t *to, size_t pixels);

static inline void put(uint8_t *to, unsigned red, unsigned green, unsigned blue) {
    to[0] = (uint8_t)red;
    to[1] = (uint8_t)green;
    to[2] = (uint8_t)blue;
}

static void write_rgb565(const void *from, uint8_t *to, size_t pixels) {
    const uint16_t *packed = from;
    for (size_t i = 0; i < pixels; i++, to += 3)
        put(to, packed[i] >> 8 & 0xF8, packed[i] >> 3 & 0xFC, packed[i] << 3 & 0xF8);
}

static void write_rgb1555(const void *from, uint8_t *to, size_t pixels) {
    const uint16_t *packed = from;
    for (size_t i = 0; i < pixels; i++, to += 3)
        put(to, packed[i] >> 7 & 0xF8, packed[i] >> 2 & 0xF8, packed[i] << 3 & 0xF8);
}

static void write_xrgb8888(const void *from, uint8_t *to, size_t pixels) {
    const uint8_t *packed = from;
    for (size_t i = 0; i < pixels; i++, to += 3, packed += 4)
        put(to, packed[2], packed[1], packed[0]);
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* The same conversions for 16 and 8 pixels at once, because a fast core runs a frame in the time of 8
 * plain conversions. */
__attribute__((target("avx2"))) static void write_rgb565_wide(const void *from, uint8_t *to,
                                                               size_t pixels) {
    const __m256i red_green_first = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 1, -1, 2, 3, -1, 4, 5, -1, 6, 7, -1, 8, 9, -1, 10));
    const __m256i blue_first = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, -1, 0, -1, -1, 2, -1, -1, 4, -1, -1, 6, -1, -1, 8, -1));
    const __m256i red_green_rest = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(11, -1, 12, 13, -1, 14, 15, -1, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m256i blue_rest = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(-1, 10, -1, -1, 12, -1, -1, 14, -1, -1, -1, -1, -1, -1, -1, -1));
    const __m256i red = _mm256_set1_epi16(0xF8), green = _mm256_set1_epi16((short)0xFC00);
    const uint16_t *packed = from;
    size_t i = 0;
    for (; i + 16 <= pixels; i += 16, to += 48) {
        __m256i in = _mm256_loadu_si256((const __m256i *)(packed + i));
        __m256i red_green = _mm256_or_si256(_mm256_and_si256(_mm256_srli_epi16(in, 8), red),
                                            _mm256_and_si256(_mm256_slli_epi16(in, 5), green));
        __m256i blue = _mm256_and_si256(_mm256_slli_epi16(in, 3), red);
        __m256i first = _mm256_or_si256(_mm256_shuffle_epi8(red_green, red_green_first),
                                        _mm256_shuffle_epi8(blue, blue_first));
        __m256i rest = _mm256_or_si256(_mm256_shuffle_epi8(red_green, red_green_rest),
                                       _mm256_shuffle_epi8(blue, blue_rest));
        _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(first));
        _mm_storel_epi64((__m128i *)(to + 16), _mm256_castsi256_si128(rest));
        _mm_storeu_si128((__m128i *)(to + 24), _mm256_extracti128_si256(first, 1));
        _mm_storel_epi64((__m128i *)(to + 40), _mm256_extracti128_si256(rest, 1));
    }
    write_rgb565(packed + i, to, pixels - i);
}

__attribute__((target("avx2"))) static void write_xrgb8888_wide(const void *from, uint8_t *to,
                                                                 size_t pixels) {
    const __m256i order = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1));
    const __m256i together = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 7, 7);
    const uint8_t *packed = from;
    size_t i = 0;
    for (; i + 8 <= pixels; i += 8, to += 24) {
        __m256i in = _mm256_loadu_si256((const __m256i *)(packed + 4 * i));
        __m256i rgb = _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(in, order), together);
        _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(rgb));
        _mm_storel_epi64((__m128i *)(to + 16), _mm256_extracti128_si256(rgb, 1));
    }
    write_xrgb8888(packed + 4 * i, to, pixels - i);
}

static bool is_wide(void) {
    static int wide = -1;
    if (wide < 0)
        wide = __builtin_cpu_supports("avx2") != 0;
    return wide;
}
#else
static const row_writer write_rgb565_wide = write_rgb565, write_xrgb8888_wide = write_xrgb8888;
static bool is_wide(void) { return false; }
#endif

static row_writer writer_of(unsigned pixel_format) {
    if (pixel_format == 1)
        return is_wide() ? write_xrgb8888_wide : write_xrgb8888;
    if (pixel_format == 2)
        return is_wide() ? write_rgb565_wide : write_rgb565;
    return write_rgb1555;
}

static unsigned lesser(unsigned a, unsigned b) { return a < b ? a : b; }

size_t lh_view_bytes(const lh_view *view) {
    return (size_t)(view->bottom - view->top) * (view->right - view->left) * 3;
}

uint8_t *lh_view_at(const lh_plan *plan, size_t frame) {
    bool is_second = (plan->frames - 1 - frame) % 2;
    return plan->view->rgb + (is_second ? lh_view_bytes(plan->view) : 0);
}

void lh_write_view(const lh_view *view, uint8_t *to, const struct lh_drawn *drawn) {
    size_t bytes = drawn->pixel_format == 1 ? 4 : 2;
    size_t row = (size_t)(view->right - view->left) * 3;
    unsigned right = lesser(view->right, drawn->width), bottom = lesser(view->bottom, drawn->height);
    size_t pixels = right > view->left ? right - view->left : 0;
    row_writer write = writer_of(drawn->pixel_format);
    for (unsigned y = view->top; y < view->bottom; y++, to += row) {
        size_t written = y < bottom ? pixels : 0;
        if (written)
            write((const uint8_t *)drawn->pixels + y * drawn->pitch + view->left * bytes, to,
                  written);
        memset(to + written * 3, 0, row - written * 3);
    }
}

enum { LANES = 4, STRIDE = LANES * sizeof(uint64_t) };
static const uint64_t PRIME = 0x9E3779B97F4A7C15u;

static inline void mix(uint64_t *lanes, const uint8_t *from, size_t bytes) {
    uint64_t words[LANES] = {0};
    memcpy(words, from, bytes);
    for (int i = 0; i < LANES; i++)
        lanes[i] = (lanes[i] ^ words[i]) * PRIME;
}

uint32_t lh_hash_picture(const struct lh_drawn *drawn) {
    uint64_t lanes[LANES] = {drawn->width, drawn->height, drawn->pixel_format, 1}, all = 0;
    size_t row = drawn->width * (size_t)(drawn->pixel_format == 1 ? 4 : 2);
    for (unsigned y = 0; y < drawn->height; y++) {
        const uint8_t *from = (const uint8_t *)drawn->pixels + y * drawn->pitch;
        size_t at = 0;
        for (; at + STRIDE <= row; at += STRIDE)
            mix(lanes, from + at, STRIDE);
        mix(lanes, from + at, row - at);
        for (int i = 0; i < LANES; i++)
            lanes[i] ^= lanes[i] >> 29;
    }
    for (int i = 0; i < LANES; i++)
        all = (all ^ lanes[i]) * PRIME;
    return (uint32_t)(all >> 32) | 1;
}
