// Keeps C++ exceptions of a core from going through C and Python: each entry point is called inside
// a try block, and an exception that comes out of it becomes the code LH_THREW.
#include <atomic>
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <exception>

extern "C" {
#include "shim.h"
}

static abi_core unguarded;
static uint64_t unwatched[2];
uint64_t *lh_pulse = unwatched;

extern "C" void lh_set_pulse(uint64_t *pulse) { lh_pulse = pulse; }

// Counts the begin and the end of a call, so that the pulse's first number is odd while the core works.
struct Beat {
    Beat() { count(); }
    ~Beat() { count(); }
    static void count() {
        reinterpret_cast<std::atomic<uint64_t> *>(lh_pulse)->fetch_add(1, std::memory_order_relaxed);
    }
};

template <typename Function, Function abi_core::*entry> struct Guarded;

template <typename Result, typename... Arguments, Result (*abi_core::*entry)(Arguments...)>
struct Guarded<Result (*)(Arguments...), entry> {
    static Result call(Arguments... arguments) {
        Beat beat;
        try {
            return (unguarded.*entry)(arguments...);
        } catch (const std::exception &error) {
            lh.code = lh_fail(LH_THREW, "%s", error.what());
        } catch (...) {
            lh.code = lh_fail(LH_THREW, "no text came with it");
        }
        return Result();
    }
};

extern "C" void lh_guarded(void (*function)(void)) {
    Beat beat;
    try {
        function();
    } catch (const std::exception &error) {
        lh.code = lh_fail(LH_THREW, "%s", error.what());
    } catch (...) {
        lh.code = lh_fail(LH_THREW, "no text came with it");
    }
}

#define GUARD(name) lh.core.name = Guarded<decltype(abi_core::name), &abi_core::name>::call

extern "C" void lh_guard_core(void) {
    unguarded = lh.core;
    GUARD(api_version);
    GUARD(init);
    GUARD(deinit);
    GUARD(set_environment);
    GUARD(set_video_refresh);
    GUARD(set_audio_sample);
    GUARD(set_audio_sample_batch);
    GUARD(set_input_poll);
    GUARD(set_input_state);
    GUARD(get_system_info);
    GUARD(get_system_av_info);
    GUARD(set_controller_port_device);
    GUARD(reset);
    GUARD(run);
    GUARD(serialize_size);
    GUARD(serialize);
    GUARD(unserialize);
    GUARD(load_game);
    GUARD(unload_game);
    GUARD(get_memory_data);
    GUARD(get_memory_size);
    if (unguarded.load_game_special)
        GUARD(load_game_special);
}
