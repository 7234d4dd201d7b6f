/* Answers questions of a RAM search about the numbers in a piece of memory.

   A number is a row of digits, one a byte: the >u2 at address 5 has the digits memory[6] and
   memory[5] of base 256, lowest first, and a <d4 has four digits of base 100. Numbers at 64
   neighboring addresses are tested at once, since digit k of all of them is 64 neighboring bytes.
   Every test is a loop over digits around a plain loop over these 64 numbers, which the compiler
   turns into vector instructions. Its answer is a word with one bit for each number. */

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernel.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Compiles the loops a second time for processors with wider vectors; the loader chooses. */
#if defined(__x86_64__) && defined(__GLIBC__)
#define FASTEST __attribute__((target_clones("avx2", "default")))
#else
#define FASTEST
#endif
#ifdef __GNUC__
#define INLINE static inline __attribute__((always_inline)) /* or clones would share one copy */
#else
#define INLINE static inline
#endif

enum {
    WORD = 64,          /* numbers that are tested at once */
    BLOCK = 16 * WORD,  /* numbers whose digits are ready while every question is answered */
    WIDEST = 8,         /* digits of a number */
    REACH = BLOCK + WORD,
    SMALL_DIVISOR = 2048, /* up to here, quotients of floats are exact enough; see leaves() */
    SMALL_BIT = 16
};
#define EACH for (int i = 0; i < WORD; i++)
#define MASK(condition) ((uint8_t)-(condition)) /* 255 or 0 */

typedef const uint8_t *digits[WIDEST]; /* row k has digit k of each number */

/* -- bytes as digits ------------------------------------------------------------------------- */

INLINE uint8_t decimal(uint8_t nibble)
{
    return nibble > 9 ? nibble - 10 : nibble;
}

INLINE void read_digits(const question *q, int digit, const uint8_t *restrict bytes, int count,
                        uint8_t *restrict row)
{
    int reading = q->reading[digit], field = reading - FIELD;
    int shift = field / 8, mask = (2 << field % 8) - 1;
    switch (reading) {
    case BYTE:
        memcpy(row, bytes, count);
        break;
    case SIGNED:
        for (int i = 0; i < count; i++) row[i] = bytes[i] ^ 0x80;
        break;
    case CODED:
        for (int i = 0; i < count; i++) {
            uint8_t tens = decimal(bytes[i] >> 4);
            row[i] = tens * 10 + decimal(bytes[i] & 15);
        }
        break;
    case NIBBLE:
        for (int i = 0; i < count; i++) row[i] = decimal(bytes[i] & 15);
        break;
    case TABLED:
        for (int i = 0; i < count; i++) row[i] = q->table[bytes[i]];
        break;
    default:
        for (int i = 0; i < count; i++) row[i] = bytes[i] >> shift & mask;
    }
}

/* -- tests of 64 numbers, which begin at `at` in each row ---------------------------------------- */

/* Returns a word with a bit for each byte that is not zero. */
INLINE uint64_t pack(const uint8_t *found)
{
    uint64_t word = 0;
#ifdef __SSE2__
    for (int part = 0; part < WORD / 16; part++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(found + 16 * part));
        int zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128()));
        word |= (uint64_t)(uint16_t)~zeros << 16 * part;
    }
#else
    EACH word |= (uint64_t)(found[i] != 0) << i;
#endif
    return word;
}

INLINE uint64_t equal(digits now, int at, const uint8_t *wanted, int width)
{
    uint8_t differs[WORD] = {0};
    uint64_t found = 0;
    for (int digit = 0; digit < width; digit++) {
        const uint8_t *row = now[digit] + at, value = wanted[digit];
        EACH differs[i] |= row[i] ^ value;
        if (digit % 2 || digit == width - 1) {
            found = ~pack(differs);
            if (!found) break;
        }
    }
    return found;
}

/* From the lowest digit up: a digit that differs from the limit's overrides the lower digits. */
INLINE uint64_t above(digits now, int at, const uint8_t *limit, int width)
{
    uint8_t found[WORD] = {0};
    for (int digit = 0; digit < width; digit++) {
        const uint8_t *row = now[digit] + at, value = limit[digit];
        if (value)
            EACH found[i] = MASK(row[i] > value) | (MASK(row[i] == value) & found[i]);
        else
            EACH found[i] |= row[i];
    }
    return pack(found);
}

INLINE uint64_t changed(digits now, digits before, int at, int width)
{
    uint8_t found[WORD] = {0};
    for (int digit = 0; digit < width; digit++) {
        const uint8_t *a = now[digit] + at, *b = before[digit] + at;
        EACH found[i] |= a[i] ^ b[i];
    }
    return pack(found);
}

INLINE uint64_t grew(digits now, digits before, int at, int width)
{
    uint8_t found[WORD] = {0};
    for (int digit = 0; digit < width; digit++) {
        const uint8_t *a = now[digit] + at, *b = before[digit] + at;
        EACH found[i] = MASK(a[i] > b[i]) | (MASK(a[i] == b[i]) & found[i]);
    }
    return pack(found);
}

INLINE uint64_t related(digits now, digits before, int at, int width, int relation)
{
    switch (relation) {
    case SAME: return ~changed(now, before, at, width);
    case LESS | MORE: return changed(now, before, at, width);
    case MORE: return grew(now, before, at, width);
    case LESS | SAME: return ~grew(now, before, at, width);
    case LESS: return grew(before, now, at, width);
    default: return ~grew(before, now, at, width);
    }
}

/* Is now = before + step? Adds as on paper: a digit that became lower carried one over. */
INLINE uint64_t stepped(digits now, digits before, int at, const question *q)
{
    uint8_t off[WORD] = {0}, carry[WORD] = {0}, base = (uint8_t)q->base;
    for (int digit = 0; digit < q->width; digit++) {
        const uint8_t *a = now[digit] + at, *b = before[digit] + at, step = q->low[digit];
        uint8_t full = MASK(step == q->base - 1); /* with a carry, adds the whole base */
        EACH {
            uint8_t over = MASK(a[i] < b[i]) | (MASK(a[i] == b[i]) & full & carry[i]);
            uint8_t sum = b[i] + step - carry[i] - (over & base); /* a carry is 255, that is -1 */
            off[i] |= a[i] ^ sum;
            carry[i] = over;
        }
    }
    EACH off[i] |= carry[i];
    return ~pack(off);
}

INLINE void values(digits now, int at, const question *q, int64_t *value)
{
    uint64_t sum[WORD] = {0};
    for (int digit = q->width; digit--;) {
        const uint8_t *row = now[digit] + at;
        EACH sum[i] = sum[i] * q->base + row[i];
    }
    EACH value[i] = (int64_t)(sum[i] + (uint64_t)q->minimum);
}

/* The remainder of a sum is the remainder of the sum of remainders. Each sum gets 0.5 added, so
   that rounding never makes a multiple of the divisor seem less: a quotient is below 8 * 255 + 2,
   its float is off by less than 2042 / 2**23 = 0.000243, and the next whole number is at least
   0.5 / 2047 = 0.000244 away. A divisor of 2048 divides without rounding. */
INLINE uint64_t leaves(digits now, int at, const question *q)
{
    uint8_t off[WORD];
    if (q->divisor <= SMALL_DIVISOR) {
        float sum[WORD], divisor = q->divisor, part = 1 / divisor, wanted = q->remainder + 0.5f;
        EACH sum[i] = (float)q->start + 0.5f;
        for (int digit = 0; digit < q->width && q->share[digit] != 0; digit++) {
            const uint8_t *row = now[digit] + at;
            float share = q->share[digit];
            EACH sum[i] += row[i] * share;
        }
        EACH off[i] = sum[i] - (float)(int)(sum[i] * part) * divisor != wanted;
    } else {
        int64_t value[WORD];
        values(now, at, q, value);
        EACH {
            int64_t rest = value[i] % q->divisor;
            off[i] = (rest < 0 ? rest + q->divisor : rest) != q->remainder;
        }
    }
    return ~pack(off);
}

INLINE uint64_t bit_set(digits now, int at, const question *q)
{
    uint8_t found[WORD];
    if (q->bit < SMALL_BIT) {
        uint16_t value[WORD] = {0}, flag = 1 << q->bit;
        for (int digit = q->width; digit--;) {
            const uint8_t *row = now[digit] + at;
            EACH value[i] = value[i] * q->base + row[i];
        }
        EACH found[i] = (value[i] & flag) != 0;
    } else {
        int64_t value[WORD];
        values(now, at, q, value);
        EACH found[i] = value[i] >> q->bit & 1;
    }
    return pack(found);
}

INLINE uint64_t highest_is_one(digits now, int at, int width)
{
    uint8_t highest[WORD] = {0};
    for (int digit = 0; digit < width; digit++) {
        const uint8_t *row = now[digit] + at;
        EACH highest[i] = row[i] > highest[i] ? row[i] : highest[i];
    }
    EACH highest[i] ^= 1;
    return ~pack(highest);
}

/* -- tests of floats: NaN passes no test ----------------------------------------------------------- */

INLINE void floats(digits row, int at, float *value)
{
    uint32_t bits[WORD];
    EACH bits[i] = row[0][at + i] | row[1][at + i] << 8 | row[2][at + i] << 16
                   | (uint32_t)row[3][at + i] << 24;
    memcpy(value, bits, sizeof bits);
}

INLINE uint64_t real(digits now, digits before, int at, const question *q)
{
    uint8_t found[WORD] = {0};
    float a[WORD], b[WORD];
    floats(now, at, a);
    if (q->test != REAL) floats(before, at, b);
    if (q->test == REAL && q->negate) {
        EACH found[i] = (a[i] < q->start) | (a[i] > q->end);
    } else if (q->test == REAL) {
        EACH found[i] = (a[i] >= q->start) & (a[i] <= q->end);
    } else if (q->test == REAL_RELATION) {
        if (q->relation & LESS) EACH found[i] |= a[i] < b[i];
        if (q->relation & SAME) EACH found[i] |= a[i] == b[i];
        if (q->relation & MORE) EACH found[i] |= a[i] > b[i];
    } else {
        if (q->relation & LESS) EACH found[i] |= fabs((double)a[i] - b[i] + q->start) < 1;
        if (q->relation & MORE) EACH found[i] |= fabs((double)a[i] - b[i] - q->start) < 1;
    }
    return pack(found);
}

INLINE uint64_t answer(const question *q, digits now, digits before, int at)
{
    uint64_t found = 0;
    switch (q->test) {
    case EQUAL:
        found = equal(now, at, q->low, q->width);
        return q->negate ? ~found : found;
    case RANGE:
        found = q->relation & MORE ? above(now, at, q->low, q->width) : ~found;
        return q->relation & LESS ? found & ~above(now, at, q->high, q->width) : found;
    case RELATION:
        return related(now, before, at, q->width, q->relation);
    case STEP:
        if (q->relation & MORE) found |= stepped(now, before, at, q);
        if (q->relation & LESS) found |= stepped(before, now, at, q);
        return found;
    case REMAINDER:
        return leaves(now, at, q);
    case BIT:
        found = bit_set(now, at, q);
        return q->negate ? ~found : found;
    case HIGHEST:
        return highest_is_one(now, at, q->width);
    default:
        return real(now, before, at, q);
    }
}

/* -- all of memory ------------------------------------------------------------------------------- */

/* The bytes of a block's numbers, as digits for each reading; readings from FIELD on share a row. */
typedef struct {
    uint8_t now[FIELD + 1][REACH], before[FIELD + 1][REACH];
    int ready, has_before;
} block;

INLINE void load(uint8_t *row, const uint8_t *bytes, uint64_t count)
{
    if (count > REACH) count = REACH;
    memcpy(row, bytes, count);
    memset(row + count, 0, REACH - count);
}

INLINE void find_digits(block *b, const question *q, digits now, digits before)
{
    for (int digit = 0; digit < q->width; digit++) {
        int reading = q->reading[digit], row = reading < FIELD ? reading : FIELD;
        if (row == FIELD || !(b->ready >> row & 1)) {
            read_digits(q, digit, b->now[BYTE], REACH, b->now[row]);
            if (b->has_before) read_digits(q, digit, b->before[BYTE], REACH, b->before[row]);
            b->ready |= 1 << row;
        }
        now[digit] = b->now[row] + q->place[digit];
        before[digit] = b->before[row] + q->place[digit];
    }
}

/* Returns a bit for each word that has the digit; most bytes occur in few words. */
INLINE int words_with(const uint8_t *row, int digit, int words)
{
    const uint8_t *at = row, *end = row + words * WORD;
    int found = 0;
    while (at < end && (at = memchr(at, digit, end - at)) != NULL) {
        int word = (int)((at - row) / WORD);
        found |= 1 << word;
        at = row + (word + 1) * WORD;
    }
    return found;
}

INLINE int ones(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555;
    word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
    return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56);
}

/* Writes the numbers that pass to `left`, which must be all zeros, and returns their count. */
INLINE uint64_t sweep_block(block *b, const question *q, int words, int touched,
                            const uint64_t *had, uint64_t *left)
{
    int asked = q->unchanged == ASKED ? (1 << words) - 1 : touched;
    uint64_t unasked = q->unchanged == KEPT ? ~(uint64_t)0 : 0, count = 0;
    digits now, before;
    if (!asked && !unasked) return 0;
    find_digits(b, q, now, before);
    if (q->test == EQUAL && q->base > 100) {
        asked = words_with(now[0], q->low[0], words);
        if (q->negate) unasked = ~(uint64_t)0;
    }
    for (int word = 0; word < words; word++) {
        if (!had[word]) continue;
        uint64_t found = asked >> word & 1 ? answer(q, now, before, word * WORD) : unasked;
        found &= had[word];
        if (!found) continue; /* memory pages of `left` that are never written cost nothing */
        left[word] = found;
        count += ones(found);
    }
    return count;
}

/* For each question, writes the candidates that pass to `left`, which must be all zeros, and counts
   them. Bit i of a row is set if the number at i is a candidate; rows are whole words. */
FASTEST void sweep(const memory *m, const question *q, int questions,
                   const uint64_t *const *candidates, uint64_t *const *left, uint64_t *counts)
{
    block b = {.has_before = m->before != NULL};
    int all_dropped = m->before != NULL;
    for (int number = 0; number < questions; number++) {
        counts[number] = 0;
        all_dropped &= q[number].unchanged == DROPPED;
    }
    for (uint64_t start = 0; start < m->size; start += BLOCK) {
        uint64_t rest = m->size - start, first = start / WORD;
        int words = rest < BLOCK ? (int)((rest + WORD - 1) / WORD) : BLOCK / WORD, touched = 0;
        if (all_dropped && rest >= REACH && !memcmp(m->now + start, m->before + start, REACH))
            continue;
        load(b.now[BYTE], m->now + start, rest);
        b.ready = 1 << BYTE;
        if (b.has_before) {
            load(b.before[BYTE], m->before + start, rest);
            for (int word = 0, at = 0; word < words; word++, at += WORD)
                touched |= !!memcmp(b.now[BYTE] + at, b.before[BYTE] + at, WORD + WIDEST) << word;
        }
        for (int number = 0; number < questions; number++)
            counts[number] += sweep_block(&b, q + number, words, touched,
                                          candidates[number] + first, left[number] + first);
    }
}

/* -- a few positions ------------------------------------------------------------------------------- */

INLINE void gather(const uint8_t *bytes, uint64_t size, const uint32_t *positions, int count,
                   const question *q, int digit, uint8_t *row)
{
    uint8_t found[WORD] = {0};
    for (int i = 0; i < count; i++) {
        uint64_t at = (uint64_t)positions[i] + q->place[digit];
        found[i] = at < size ? bytes[at] : 0;
    }
    read_digits(q, digit, found, WORD, row);
}

/* Writes the positions whose numbers pass to `left`, and returns their count. */
FASTEST uint64_t pick(const memory *m, const question *q, const uint32_t *positions,
                      uint64_t count, uint32_t *left)
{
    uint8_t now[WIDEST][WORD], before[WIDEST][WORD];
    digits rows_now, rows_before;
    uint64_t kept = 0;
    for (uint64_t first = 0; first < count; first += WORD) {
        const uint32_t *at = positions + first;
        int here = count - first < WORD ? (int)(count - first) : WORD;
        for (int digit = 0; digit < q->width; digit++) {
            gather(m->now, m->size, at, here, q, digit, now[digit]);
            if (m->before) gather(m->before, m->size, at, here, q, digit, before[digit]);
            rows_now[digit] = now[digit];
            rows_before[digit] = before[digit];
        }
        uint64_t found = answer(q, rows_now, rows_before, 0);
        for (int i = 0; i < here; i++) if (found >> i & 1) left[kept++] = at[i];
    }
    return kept;
}

/* Lists the bits that are set, and clears them. */
uint64_t take_positions(uint64_t *bits, uint64_t words, uint32_t *positions)
{
    uint64_t count = 0;
    for (uint64_t word = 0; word < words; word++) {
        if (!bits[word]) continue;
        EACH if (bits[word] >> i & 1) positions[count++] = (uint32_t)(word * WORD + i);
        bits[word] = 0;
    }
    return count;
}
