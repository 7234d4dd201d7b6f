/* Owns core options and the log ring. */
#include <stdio.h>
#include <string.h>
#if defined(_WIN32)
#include <io.h>
#define write _write
#else
#include <unistd.h>
#endif

#include "shim.h"

/* ---- core options ---- */

static lh_option *find_option(const char *key) {
    lh_option *options = (lh_option *)lh.options.data;
    for (size_t i = 0; i < lh.options.size / sizeof *options; i++)
        if (!strcmp(options[i].key, key))
            return &options[i];
    return NULL;
}

static struct abi_variable *find_override(const char *key) {
    struct abi_variable *overrides = (struct abi_variable *)lh.overrides.data;
    for (size_t i = 0; i < lh.overrides.size / sizeof *overrides; i++)
        if (!strcmp(overrides[i].key, key))
            return &overrides[i];
    return NULL;
}

/* A new option for key, or the option that an earlier declaration of the same key made. */
static lh_option *declare(const char *key, const char *title, const char *help) {
    if (!key || !*key)
        return NULL;
    lh_option *option = find_option(key);
    if (!option && !(option = lh_append(&lh.options, sizeof *option)))
        return NULL;
    memset(option, 0, sizeof *option);
    option->key = lh_keep(key);
    option->title = lh_keep(title ? title : key);
    option->help = lh_keep(help ? help : "");
    if (option->key && option->title && option->help)
        return option;
    lh.options.size -= sizeof *option;
    return NULL;
}

/* Gives a declared option its value: the override if there is one, else the core's default. A declared
 * option never has a NULL value, because genesis_plus_gx dereferences the value. */
static void settle(lh_option *option, const char *default_value) {
    if (!default_value)
        default_value = option->value_count ? option->values[0] : "";
    option->default_value = lh_keep(default_value);
    const struct abi_variable *override = find_override(option->key);
    option->value = override ? override->value : option->default_value;
    if (!option->value)
        option->value = option->default_value = "";
}

static void add_value(lh_option *option, const char *value) {
    if (option->value_count < ABI_OPTION_VALUES && (value = lh_keep(value)))
        option->values[option->value_count++] = value;
}

/* Version 0 packs an option into one string: "Title; first|second|third"; the first is the default. */
static void declare_v0(const struct abi_variable *variable) {
    for (; variable && variable->key; variable++) {
        char text[4096];
        snprintf(text, sizeof text, "%s", variable->value ? variable->value : "");
        char *values = strchr(text, ';');
        if (values)
            *values++ = '\0';
        lh_option *option = declare(variable->key, text, NULL);
        if (!option)
            continue;
        while (values && *values == ' ')
            values++;
        while (values) {
            char *next = strchr(values, '|');
            if (next)
                *next++ = '\0';
            add_value(option, values);
            values = next;
        }
        settle(option, NULL);
    }
}

static void give_values(lh_option *option, const struct abi_option_value *values,
                        const char *default_value) {
    for (size_t i = 0; option && i < ABI_OPTION_VALUES && values[i].value; i++)
        add_value(option, values[i].value);
    if (option)
        settle(option, default_value);
}

static void declare_v1(const struct abi_option_v1 *one) {
    for (; one && one->key; one++)
        give_values(declare(one->key, one->title, one->help), one->values, one->default_value);
}

static void declare_v2(const struct abi_options_v2 *options) {
    const struct abi_option_v2 *one = options ? options->definitions : NULL;
    for (; one && one->key; one++)
        give_values(declare(one->key, one->title, one->help), one->values, one->default_value);
}

static bool get_variable(struct abi_variable *variable) {
    if (!variable || !variable->key)
        return false;
    const lh_option *option = find_option(variable->key);
    const struct abi_variable *override = option ? NULL : find_override(variable->key);
    variable->value = option ? option->value : override ? override->value : NULL;
    return variable->value != NULL;
}

int lh_set_option(const char *key, const char *value) {
    struct abi_variable *override = find_override(key);
    const char *kept_value = lh_keep(value);
    if (!override && (override = lh_append(&lh.overrides, sizeof *override)))
        override->key = lh_keep(key);
    if (!override || !override->key || !kept_value)
        return LH_NO_MEMORY;
    override->value = kept_value;
    lh_option *option = find_option(key);
    if (option)
        option->value = kept_value;
    lh.options_changed = true;
    return LH_OK;
}

/* A core that changes its own option knows the new value, so no update is announced to it. */
static bool set_variable(const struct abi_variable *variable) {
    if (!variable)
        return true; /* NULL asks whether the command is known */
    lh_option *option = variable->key ? find_option(variable->key) : NULL;
    for (size_t i = 0; option && variable->value && i < option->value_count; i++)
        if (!strcmp(option->values[i], variable->value)) {
            option->value = option->values[i];
            return true;
        }
    return false;
}

bool lh_option_command(unsigned command, void *data, bool *answer) {
    *answer = true;
    switch (command) {
    case ENV_GET_CORE_OPTIONS_VERSION: *(unsigned *)data = 2; return true;
    case ENV_GET_VARIABLE: *answer = get_variable(data); return true;
    case ENV_GET_VARIABLE_UPDATE:
        *(bool *)data = lh.options_changed;
        lh.options_changed = false;
        return true;
    case ENV_SET_VARIABLES: declare_v0(data); return true;
    case ENV_SET_CORE_OPTIONS: declare_v1(data); return true;
    case ENV_SET_CORE_OPTIONS_INTL:
        declare_v1(data ? ((struct abi_options_v1_intl *)data)->english : NULL);
        return true;
    case ENV_SET_CORE_OPTIONS_V2: declare_v2(data); return true;
    case ENV_SET_CORE_OPTIONS_V2_INTL:
        declare_v2(data ? ((struct abi_options_v2_intl *)data)->english : NULL);
        return true;
    case ENV_SET_CORE_OPTIONS_DISPLAY:
        *answer = data && *(char **)data && find_option(*(char **)data);
        return true;
    case ENV_SET_CORE_OPTIONS_UPDATE_DISPLAY: return true;
    case ENV_SET_VARIABLE: *answer = set_variable(data); return true;
    default: return false;
    }
}

LH_LIST(option, options)

/* ---- log ring ---- */

#if defined(_MSC_VER)
#include <intrin.h>
static volatile long log_lock;
static void lock_log(void) { while (_InterlockedExchange(&log_lock, 1)) {} }
static void unlock_log(void) { _InterlockedExchange(&log_lock, 0); }
#else
#include <stdatomic.h>
static atomic_flag log_lock = ATOMIC_FLAG_INIT;
static void lock_log(void) { while (atomic_flag_test_and_set(&log_lock)) {} }
static void unlock_log(void) { atomic_flag_clear(&log_lock); }
#endif

static char log_ring[LH_LOG_LINES][LH_LOG_WIDTH];
static size_t log_total;
static int log_mirror = -1;

/* Writes a line and its end in one call, so that lines of several threads do not mix in a pipe. */
static void mirror(const char *line) {
    char copy[LH_LOG_WIDTH + 1];
    int length = snprintf(copy, sizeof copy, "%s\n", line);
    if (length > 0 && write(log_mirror, copy, (size_t)length) < 0)
        log_mirror = -1; /* its reader has gone */
}

/* The lock is needed because cores also log from their own threads; it is held for one line only. */
static void log_append(const char *level, const char *text, size_t length) {
    lock_log();
    char *line = log_ring[log_total++ % LH_LOG_LINES];
    snprintf(line, LH_LOG_WIDTH, "[%s] %.*s", level, (int)length, text);
    if (log_mirror >= 0)
        mirror(line);
    unlock_log();
}

void lh_log_write(int level, const char *format, ...) {
    static const char *const names[] = {"DEBUG", "INFO", "WARN", "ERROR"};
    const char *name = level >= 0 && level < 4 ? names[level] : "INFO";
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format ? format : "", arguments);
    va_end(arguments);
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        size_t length = end ? (size_t)(end - line) : strlen(line);
        if (length)
            log_append(name, line, length);
        line = end ? end + 1 : NULL;
    }
}

void lh_log_clear(void) { log_total = 0; }

void lh_log_mirror(int fd) { log_mirror = fd; }

size_t lh_log_lines(void) { return log_total < LH_LOG_LINES ? log_total : LH_LOG_LINES; }

const char *lh_log_line(size_t index) {
    size_t first = log_total < LH_LOG_LINES ? 0 : log_total - LH_LOG_LINES;
    return log_ring[(first + index) % LH_LOG_LINES];
}

size_t lh_messages(const char *const **out) {
    size_t count = lh.messages.size / sizeof **out;
    *out = (const char *const *)lh.messages.data;
    lh.messages.size = 0;
    return count;
}
