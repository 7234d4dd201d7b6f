/* Owns the flat RAM: which memory is in it, and how a frame of it is captured. */
#include <stdlib.h>
#include <string.h>

#include "shim.h"

static const size_t SPAN = sizeof(struct lh_span);

static struct lh_span *spans(void) { return (struct lh_span *)lh.spans.data; }

static size_t span_count(void) { return lh.spans.size / SPAN; }

bool lh_memory_maps(const struct abi_memory_map *map) {
    if (!map)
        return false;
    lh.maps.size = 0;
    for (unsigned i = 0; i < map->count; i++) {
        struct abi_memory_descriptor *copy = lh_append(&lh.maps, sizeof *copy);
        if (!copy)
            return false;
        *copy = map->descriptors[i];
        copy->name = lh_keep(copy->name ? copy->name : "");
    }
    lh.has_maps = map->count > 0;
    lh.maps_generation++;
    return true;
}

/* The length of a descriptor's block, as the training library computes it: without select, the declared
 * length; else the lowest bit of select | start (0 if select lacks it), at most the declared length. */
static size_t block_length(const struct abi_memory_descriptor *descriptor) {
    size_t length = descriptor->length;
    if (descriptor->select)
        length = ((~descriptor->select & ~descriptor->start) + 1) & descriptor->select;
    if (descriptor->length && descriptor->length < length)
        length = descriptor->length;
    return length;
}

static bool add_span(uint64_t address, uint64_t size, void *memory, const char *name) {
    if (!memory || !size)
        return true;
    for (size_t i = 0; i < span_count(); i++)
        if (spans()[i].region.address == address) {
            /* The training library keys blocks by address: the last one announced stays. */
            spans()[i] = (struct lh_span){{address, size, name}, memory};
            return true;
        }
    struct lh_span *span = lh_append(&lh.spans, SPAN);
    if (span)
        *span = (struct lh_span){{address, size, name}, memory};
    return span != NULL;
}

static int by_address(const void *left, const void *right) {
    uint64_t a = ((const struct lh_span *)left)->region.address;
    uint64_t b = ((const struct lh_span *)right)->region.address;
    return a < b ? -1 : a > b;
}

/* Where blocks overlap, an address belongs to the block that starts first, as in training. */
static void trim_overlaps(void) {
    uint64_t end = 0;
    size_t kept = 0;
    for (size_t i = 0; i < span_count(); i++) {
        struct lh_span span = spans()[i];
        uint64_t last = span.region.address + span.region.size;
        if (kept && span.region.address < end) {
            if (last <= end)
                continue;
            span.memory += end - span.region.address;
            span.region.address = end;
            span.region.size = last - end;
        }
        end = last;
        spans()[kept++] = span;
    }
    lh.spans.size = kept * SPAN;
}

static uint64_t total_bytes(void) {
    uint64_t total = 0;
    for (size_t i = 0; i < span_count(); i++)
        total += spans()[i].region.size;
    return total;
}

/* Appends the parts of a span that lie in windows. */
static bool append_parts(struct lh_span span) {
    const lh_window *windows = (const lh_window *)lh.windows.data;
    uint64_t first = span.region.address, end = first + span.region.size;
    for (size_t i = 0; i < lh.windows.size / sizeof *windows; i++) {
        uint64_t from = windows[i].address > first ? windows[i].address : first;
        uint64_t to = windows[i].address + windows[i].size;
        to = to < end ? to : end;
        if (from >= to)
            continue;
        struct lh_span *part = lh_append(&lh.spans, SPAN);
        if (!part)
            return false;
        *part = (struct lh_span){{from, to - from, span.region.name},
                                 span.memory + (from - first)};
    }
    return true;
}

static bool keep_windows(void) {
    size_t count = span_count();
    lh.whole_ram_bytes = total_bytes();
    if (!lh.windows.size)
        return true;
    for (size_t i = 0; i < count; i++)
        if (!append_parts(spans()[i]))
            return false;
    lh.spans.size -= count * SPAN;
    memmove(lh.spans.data, lh.spans.data + count * SPAN, lh.spans.size);
    return true;
}

static size_t blank_length(const struct abi_memory_descriptor *descriptor) {
    return descriptor->flags & ABI_MEMDESC_CONST || descriptor->memory ? 0 : block_length(descriptor);
}

/* Gives zeroed memory to blocks that a core announces without memory, such as the RAM that a cartridge
 * lacks, because the training library does so. */
static bool reserve_blanks(const struct abi_memory_descriptor *maps, size_t count) {
    size_t bytes = 0, known = lh.blanks.size;
    for (size_t i = 0; i < count; i++)
        bytes += blank_length(&maps[i]);
    if (!lh_reserve(&lh.blanks, bytes))
        return false;
    lh.blanks.size = bytes > known ? bytes : known;
    if (bytes > known)
        memset(lh.blanks.data + known, 0, bytes - known);
    return true;
}

static bool gather_spans(void) {
    const struct abi_memory_descriptor *maps = (const struct abi_memory_descriptor *)lh.maps.data;
    const size_t count = lh.maps.size / sizeof *maps;
    lh.spans.size = 0;
    if (!lh.spans_from_maps) {
        size_t size = lh.core.get_memory_size(ABI_MEMORY_SYSTEM_RAM);
        void *memory = size ? lh.core.get_memory_data(ABI_MEMORY_SYSTEM_RAM) : NULL;
        return add_span(lh.rambase, size, memory, "") && keep_windows();
    }
    if (!reserve_blanks(maps, count))
        return false;
    uint8_t *blank = lh.blanks.data;
    for (size_t i = 0; i < count; i++) {
        size_t length = blank_length(&maps[i]);
        void *memory = length ? blank : maps[i].memory;
        if (!(maps[i].flags & ABI_MEMDESC_CONST) &&
            !add_span(maps[i].start, block_length(&maps[i]), memory, maps[i].name))
            return false;
        blank += length;
    }
    qsort(lh.spans.data, span_count(), SPAN, by_address);
    trim_overlaps();
    return keep_windows();
}

int lh_resolve_spans(void) {
    lh.spans_from_maps = lh.has_maps;
    lh.spans_generation = lh.maps_generation;
    lh.regions.size = 0;
    lh.ram_bytes = 0;
    if (!gather_spans())
        return LH_NO_MEMORY;
    for (size_t i = 0; i < span_count(); i++) {
        lh_region *region = lh_append(&lh.regions, sizeof *region);
        if (!region)
            return LH_NO_MEMORY;
        *region = spans()[i].region;
        lh.ram_bytes += region->size;
    }
    return lh_reserve(&lh.before, lh.ram_bytes) ? LH_OK : LH_NO_MEMORY;
}

/* A core may announce moved memory, but it may not change the layout that the caller knows. SYSTEM_RAM
 * is taken to stay where it was at load, because some cores log a line each time they are asked. */
int lh_refresh_spans(void) {
    if (!lh.spans_from_maps || lh.maps_generation == lh.spans_generation)
        return LH_OK;
    lh.spans_generation = lh.maps_generation;
    const lh_region *known = (const lh_region *)lh.regions.data;
    if (!gather_spans())
        return LH_NO_MEMORY;
    bool same = span_count() == lh.regions.size / sizeof *known;
    for (size_t i = 0; same && i < span_count(); i++)
        same = spans()[i].region.address == known[i].address &&
               spans()[i].region.size == known[i].size;
    if (!same)
        lh.spans.size = 0; /* the old pointers may dangle */
    return same ? LH_OK : LH_LAYOUT;
}

static void read_flat(uint8_t *out) {
    for (size_t i = 0; i < span_count(); i++) {
        memcpy(out, spans()[i].memory, spans()[i].region.size);
        out += spans()[i].region.size;
    }
}

/* ---- the save chip ---- */

/* States of some cores lack the cartridge's save chip, so the shim appends the chip and then this mark.
 * A chip that is part of flat RAM is not appended: callers restore it themselves. */
struct chip_mark {
    uint64_t size;
    char word[16];
};

static const char CHIP_WORD[16] = "save-chip";
enum { MOST_CHIP_BYTES = 1 << 20, CHIP_MARK = sizeof(struct chip_mark) };

static uint8_t *chip(void) {
    if (!lh.chip_bytes || lh.chip_bytes > MOST_CHIP_BYTES)
        return NULL;
    uint8_t *memory = lh.core.get_memory_data(ABI_MEMORY_SAVE_RAM);
    for (size_t i = 0; memory && i < span_count(); i++) {
        const uint8_t *seen = spans()[i].memory;
        if (seen < memory + lh.chip_bytes && memory < seen + spans()[i].region.size)
            return NULL;
    }
    return memory;
}

/* The number of bytes at the end of a state that hold chip and mark; 0: no chip. */
size_t lh_chip_part(void) { return chip() ? lh.chip_bytes + CHIP_MARK : 0; }

/* Writes the chip as the last part of a state, which ends at `end`. */
void lh_save_chip(uint8_t *end) {
    const uint8_t *memory = chip();
    struct chip_mark mark = {.size = lh.chip_bytes};
    if (!memory)
        return;
    memcpy(mark.word, CHIP_WORD, sizeof mark.word);
    memcpy(end - CHIP_MARK, &mark, CHIP_MARK);
    memcpy(end - CHIP_MARK - lh.chip_bytes, memory, lh.chip_bytes);
}

/* The size of the core's own part of a state. */
size_t lh_without_chip(const uint8_t *state, size_t size) {
    struct chip_mark mark;
    if (size < CHIP_MARK)
        return size;
    memcpy(&mark, state + size - CHIP_MARK, CHIP_MARK);
    bool marked = !memcmp(mark.word, CHIP_WORD, sizeof mark.word) && mark.size <= size - CHIP_MARK;
    return marked ? size - CHIP_MARK - mark.size : size;
}

/* Restores the chip from a state's last part; without that part, as in training, it stays as it is. */
void lh_restore_chip(const uint8_t *part, size_t size) {
    uint8_t *memory = chip();
    if (memory && size == lh.chip_bytes + CHIP_MARK)
        memcpy(memory, part, lh.chip_bytes);
}

LH_LIST(region, regions)

uint64_t lh_ram_bytes(void) { return lh.ram_bytes; }

uint64_t lh_whole_ram_bytes(void) { return lh.whole_ram_bytes; }

int lh_add_window(uint64_t address, uint64_t size) {
    lh_window *window = lh_append(&lh.windows, sizeof *window);
    if (window)
        *window = (lh_window){address, size};
    return window ? LH_OK : LH_NO_MEMORY;
}

int lh_read_ram(uint8_t *out) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    int code = lh_refresh_spans();
    if (code == LH_OK)
        read_flat(out);
    return code;
}

enum direction { READ, WRITE };

/* Copies between bytes and a span of flat RAM, which may cross regions. */
static bool copy_span(uint64_t offset, uint8_t *bytes, size_t size, enum direction direction) {
    if (offset > lh.ram_bytes || size > lh.ram_bytes - offset)
        return false;
    for (size_t i = 0; size && i < span_count(); i++) {
        const struct lh_span *span = &spans()[i];
        if (offset >= span->region.size) {
            offset -= span->region.size;
            continue;
        }
        size_t room = span->region.size - offset;
        size_t part = size < room ? size : room;
        if (direction == WRITE)
            memcpy(span->memory + offset, bytes, part);
        else
            memcpy(bytes, span->memory + offset, part);
        bytes += part;
        size -= part;
        offset = 0;
    }
    return size == 0;
}

int lh_write_ram(uint64_t offset, const uint8_t *data, size_t size) {
    if (!lh.game_loaded)
        return LH_CLOSED;
    int code = lh_refresh_spans();
    if (code != LH_OK)
        return code;
    return copy_span(offset, (uint8_t *)data, size, WRITE) ? LH_OK : LH_OUT_OF_RANGE;
}

/* ---- capture ---- */

enum { BLOCK = 64 };

static bool note_changes(const uint8_t *now, uint8_t *before, size_t size, size_t base) {
    /* Reserve room for the worst case first, so that the inner loop only stores. */
    if (!lh_reserve(&lh.change_offsets, lh.change_offsets.size + size * sizeof(uint32_t)) ||
        !lh_reserve(&lh.change_values, lh.change_values.size + size))
        return false;
    uint32_t *offsets = (uint32_t *)(lh.change_offsets.data + lh.change_offsets.size);
    uint8_t *values = lh.change_values.data + lh.change_values.size;
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        if (now[i] != before[i]) {
            offsets[count] = (uint32_t)(base + i);
            values[count++] = before[i] = now[i];
        }
    lh.change_offsets.size += count * sizeof *offsets;
    lh.change_values.size += count;
    return true;
}

/* Compares in blocks of eight words, which compilers turn into vector code; most blocks are equal. */
static bool find_changes(const uint8_t *now, uint8_t *before, size_t size, size_t base) {
    size_t i = 0;
    for (; i + BLOCK <= size; i += BLOCK) {
        uint64_t a[BLOCK / 8], b[BLOCK / 8], difference = 0;
        memcpy(a, now + i, BLOCK);
        memcpy(b, before + i, BLOCK);
        for (int word = 0; word < BLOCK / 8; word++)
            difference |= a[word] ^ b[word];
        if (difference && !note_changes(now + i, before + i, BLOCK, base + i))
            return false;
    }
    return i == size || note_changes(now + i, before + i, size - i, base + i);
}

int lh_capture_begin(const lh_plan *plan) {
    lh.change_offsets.size = lh.change_values.size = 0;
    for (size_t i = 0; i < plan->range_count; i++) {
        const lh_range *range = &plan->ranges[i];
        if (range->offset > lh.ram_bytes || range->length > lh.ram_bytes - range->offset)
            return LH_OUT_OF_RANGE;
    }
    if (plan->change_counts)
        read_flat(lh.before.data);
    return LH_OK;
}

static bool capture_changes(int64_t *count) {
    size_t base = 0, total = lh.change_values.size;
    for (size_t i = 0; i < span_count(); i++) {
        const struct lh_span *span = &spans()[i];
        if (!find_changes(span->memory, lh.before.data + base, span->region.size, base))
            return false;
        base += span->region.size;
    }
    *count = (int64_t)(lh.change_values.size - total);
    return true;
}

int lh_capture_frame(const lh_plan *plan, size_t frame) {
    int code = lh_refresh_spans();
    if (code != LH_OK)
        return code;
    if (plan->ram)
        read_flat(plan->ram + frame * lh.ram_bytes);
    if (plan->change_counts && !capture_changes(&plan->change_counts[frame]))
        return LH_NO_MEMORY;
    size_t total = 0;
    for (size_t i = 0; i < plan->range_count; i++)
        total += plan->ranges[i].length;
    uint8_t *out = plan->ranges_out + frame * total;
    for (size_t i = 0; i < plan->range_count; i++) {
        copy_span(plan->ranges[i].offset, out, plan->ranges[i].length, READ);
        out += plan->ranges[i].length;
    }
    return LH_OK;
}
