// A crew: threads that run frames of many emulators at once, without Python and its lock.
//
// A thread that has nothing to do first looks for a while, because the kernel takes longer to wake a
// thread (10 to 50 microseconds in a virtual machine) than Python takes between two steps. It sleeps at
// once if it waited for longer the last time, so that it burns no processor while an agent thinks. The
// time in which other threads still run frames does not count, because shares of a run often take
// different times.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <vector>

extern "C" {
#include "shim.h"
}

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
static void relax() { _mm_pause(); }
#elif defined(__aarch64__) && defined(__GNUC__)
static void relax() { __asm__ volatile("yield"); }
#else
static void relax() {}
#endif

using Clock = std::chrono::steady_clock;
using Moment = std::atomic<Clock::time_point>;
static constexpr auto PATIENCE = std::chrono::microseconds(200);
static constexpr auto NAP = std::chrono::milliseconds(50);

// One thread waits for a number that others change.
//
// Whoever changes it stores the number, and then reads `sleeps`; the waiting thread sets `sleeps`, and
// then reads the number. All four are sequentially consistent, so at least one of the two sees the other's
// store: either the waiting thread finds the new number, or it is woken. It cannot miss that, since it
// holds the mutex from before it sets `sleeps` until it sleeps. Memory written before a change is seen
// after the wait, because changes release and looks acquire; of several threads that change the number,
// each continues the release sequence of those before it, so that the last number shows the work of all.
struct Signal {
    std::atomic<uint64_t> number{0};

    void change(uint64_t by) {
        number.fetch_add(by);
        if (sleeps.load()) {
            std::lock_guard<std::mutex> lock(mutex);
            changed.notify_one();
        }
    }

    // Waits until `is_over(number)`; false if it slept through `nap` before that. Time counts from the
    // moment `since`, if another thread sets it meanwhile.
    template <typename Test> bool wait(Test is_over, bool may_spin, Clock::duration nap, const Moment &since) {
        if (is_over(number.load()))
            return true;
        const auto began = Clock::now();
        const auto is_soon = [&] { return Clock::now() - std::max(began, since.load()) < PATIENCE; };
        bool over = false;
        if (may_spin && is_patient)
            while (!(over = look(is_over)) && is_soon())
                ;
        if (!over) {
            std::unique_lock<std::mutex> lock(mutex);
            sleeps.store(true);
            over = changed.wait_for(lock, nap, [&] { return is_over(number.load()); });
            sleeps.store(false);
        }
        is_patient = over && is_soon();
        return over;
    }

  private:
    template <typename Test> bool look(Test is_over) {
        for (int i = 0; i < 32; i++) {
            if (is_over(number.load(std::memory_order_acquire)))
                return true;
            relax();
        }
        return false;
    }

    std::atomic<bool> sleeps{false};
    bool is_patient = true; // only of the waiting thread
    std::mutex mutex;
    std::condition_variable changed;
};

extern "C" int lh_next(lh_task *task, uint8_t *pixels) {
    lh_plan *plan = task->plan;
    if (task->taken < task->ran) {
        const size_t frame = task->taken++, row = plan->watch->row;
        const uint8_t *view = lh_view_at(plan, frame);
        task->result->repeats = frame < task->repeats;
        std::memcpy(plan->ranges_out - row, plan->ranges_out + frame * row, row);
        // The views of earlier frames were overwritten, because nobody needs them.
        if (task->repeats <= frame && frame + 2 >= task->ran && view != pixels)
            std::memcpy(pixels, view, lh_view_bytes(task->view));
        return LH_OK;
    }
    const int failed = task->code;
    task->state = LH_IDLE;
    task->code = LH_OK;
    task->view->rgb = pixels;
    plan->frames = 1;
    return failed ? failed : task->run ? task->run(plan, task->result) : (int)LH_CLOSED;
}

extern "C" void lh_follow(lh_task *task) {
    task->state = LH_IDLE;
    task->code = LH_OK;
    task->ran = task->taken = 0;
    task->plan->watch->calm = -1;
}

static void act(lh_task *task) {
    task->plan->frames = task->ahead;
    task->view->rgb = task->into ? task->into : task->room;
    task->code = task->run ? task->run(task->plan, task->result) : (int)LH_CLOSED;
    task->ran = task->result->frames;
    task->taken = 0;
    task->repeats = task->result->repeats;
    task->state = LH_IDLE;
    if (task->code || task->ran < task->ahead)
        return;
    const size_t needed = task->maxpool ? 2 : 1;
    if (task->reduction && task->repeats + needed > task->ran)
        return;
    const uint8_t *before = task->maxpool ? task->room + lh_view_bytes(task->view) : nullptr;
    if (task->reduction)
        task->code = lh_reduce(task->reduction, task->view->rgb, before, task->reduced);
    if (!task->code)
        task->state = LH_WHOLE;
}

// A worker's orders: the low half counts the runs, the high half the calls back into Python.
static constexpr uint64_t RUN = 1, CALL = uint64_t(1) << 32;

struct lh_crew {
    struct Worker {
        Signal orders;
        uint64_t done = 0; // the orders that the worker has taken; only of its own thread
    };
    lh_crew(size_t workers, bool spins) : workers(workers), may_spin(spins) {}
    std::vector<Worker> workers;
    bool may_spin;
    lh_task *const *tasks = nullptr;
    size_t count = 0;
    Signal finished;      // the shares of the caller's runs that ended
    uint64_t awaited = 0; // only of the caller's thread
    Moment ended{Clock::time_point()}; // of the last run, after which Python and the agent work

    void act_all(size_t worker) {
        for (size_t i = worker; i < count; i += workers.size())
            if (tasks[i]->state == LH_WANTED)
                act(tasks[i]);
    }
};

extern "C" lh_crew *lh_crew_new(size_t workers, int may_spin) {
    return new (std::nothrow) lh_crew(workers, may_spin != 0);
}

extern "C" void lh_crew_free(lh_crew *crew) { delete crew; }

extern "C" int lh_crew_run(lh_crew *crew, lh_task *const *tasks, size_t count) {
    crew->tasks = tasks;
    crew->count = count;
    for (size_t i = 1; i < crew->workers.size(); i++)
        crew->workers[i].orders.change(RUN);
    crew->awaited += crew->workers.size() - 1;
    crew->act_all(0);
    return lh_crew_wait(crew);
}

extern "C" int lh_crew_wait(lh_crew *crew) {
    const uint64_t awaited = crew->awaited;
    const bool over = crew->finished.wait([=](uint64_t n) { return n == awaited; }, crew->may_spin, NAP, crew->ended);
    crew->ended.store(Clock::now());
    return over;
}

extern "C" void lh_crew_serve(lh_crew *crew, size_t index) {
    lh_crew::Worker &worker = crew->workers[index];
    for (;;) {
        const uint64_t done = worker.done;
        while (!worker.orders.wait([=](uint64_t n) { return n != done; }, crew->may_spin,
                                   std::chrono::hours(1), crew->ended))
            ;
        if (worker.orders.number.load() % CALL != done % CALL) {
            worker.done += RUN;
            crew->act_all(index);
            crew->finished.change(1);
        } else {
            worker.done += CALL;
            return;
        }
    }
}

extern "C" void lh_crew_call(lh_crew *crew, size_t worker) {
    crew->workers[worker].orders.change(CALL);
}
