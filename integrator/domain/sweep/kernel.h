/* The search kernel as Python sees it; cffi reads this file as it stands. */

/* Ways to read a byte as a digit. BYTE: unchanged; SIGNED: as the top digit of a signed number (so
   that -128 is the lowest); CODED: as two decimal digits; NIBBLE: as one. From FIELD on, as some of
   its bits: (reading - FIELD) % 8 + 1 bits, the lowest of which is bit (reading - FIELD) / 8.
   TABLED: looked up in `table`. */
enum { BYTE, SIGNED, CODED, NIBBLE, FIELD, TABLED = 128 };

/* Tests of a number by a question; the comments name the fields that each test reads. */
enum {
    EQUAL,        /* is it `low` (with `negate`: is it not) */
    RANGE,        /* is it above `low` (with MORE), and not above `high` (with LESS) */
    RELATION,     /* how does it compare with the earlier number: `relation` */
    STEP,         /* is it the earlier number plus `low` (with MORE), or minus `low` (with LESS) */
    REMAINDER,    /* `divisor`, `remainder`; `share` of each digit and `start` for small divisors */
    BIT,          /* is the bit number `bit` set (with `negate`: is it clear) */
    HIGHEST,      /* is the highest digit 1 */
    REAL,         /* float: is it from `start` to `end` (with `negate`: is it outside) */
    REAL_RELATION, /* float: `relation` */
    REAL_STEP     /* float: is its distance to the earlier number plus or minus `start` below 1 */
};
enum { LESS = 1, SAME = 2, MORE = 4 };       /* relations; they add up */
enum { ASKED, DROPPED, KEPT };               /* numbers whose bytes did not change are tested, dropped, kept */

typedef struct {
    uint8_t test, relation, negate, unchanged;
    uint8_t width, bit;  /* width: digits of a number */
    uint16_t base;       /* of a digit */
    uint8_t reading[8], place[8]; /* of each digit, lowest first: how to read it, and its byte */
    uint8_t low[8], high[8];      /* digits of numbers to compare with, lowest first */
    int64_t minimum, divisor, remainder; /* minimum: the least number, from which digits count */
    double start, end;
    float share[8];
    const uint8_t *table; /* the digit of each of 256 bytes, or NULL */
} question;

typedef struct {
    const uint8_t *now, *before; /* before: NULL where no question asks for it */
    uint64_t size;
} memory;

void sweep(const memory *, const question *, int questions, const uint64_t *const *candidates,
           uint64_t *const *left, uint64_t *counts);
uint64_t pick(const memory *, const question *, const uint32_t *positions, uint64_t count,
              uint32_t *left);
uint64_t take_positions(uint64_t *bits, uint64_t words, uint32_t *positions);
