#include "domains/sparse/kernel/measurement/team.h"

#include "base/parallel.h"

#include <algorithm>
#include <pthread.h>
#include <sched.h>

namespace sparsight {

namespace {

std::vector<int> allowed_processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    std::vector<int> processors;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) // more than 1024 of them
        return processors;
    for (int processor = 0; processor < CPU_SETSIZE; ++processor)
        if (CPU_ISSET(processor, &allowed))
            processors.push_back(processor);
    return processors;
}

bool keep_on(pthread_t thread, int processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    return pthread_setaffinity_np(thread, sizeof one, &one) == 0;
}

} // namespace

void ThreadPlacement::place(std::span<std::jthread> helpers) {
    std::vector<int> processors = allowed_processors();
    // Where processors are left over the scheduler has better places to choose from: it knows which are idle,
    // and which share a core.
    if (processors.size() != helpers.size() + 1)
        return;
    const auto own = std::ranges::find(processors, sched_getcpu());
    if (own == processors.end())
        return;
    caller_processor_ = *own;
    processors.erase(own);
    for (std::size_t h = 0; h < helpers.size(); ++h)
        if (keep_on(helpers[h].native_handle(), processors[h]))
            places_.push_back({helpers[h].native_handle(), processors[h]});
}

void ThreadPlacement::separate_from_caller() {
    if (places_.empty())
        return;
    const int current = sched_getcpu();
    if (current == caller_processor_)
        return;
    const auto taken = std::ranges::find(places_, current, &Place::processor);
    if (taken != places_.end()) {
        if (!keep_on(taken->helper, caller_processor_))
            return;
        taken->processor = caller_processor_;
    }
    caller_processor_ = current;
}

namespace {

constexpr std::uint64_t open_bit = 1;
constexpr std::uint64_t one_helper = 2;
constexpr std::uint64_t helper_mask = 0xfffe;
constexpr std::uint64_t one_region = 0x10000;

/// To be asked where there is work that is left undone then.
bool leaves_early(KernelContext& context) {
    if (context.abandoned.load(std::memory_order_relaxed) == 0)
        return false;
    context.abandoned.store(KernelContext::left_early, std::memory_order_relaxed);
    return true;
}

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

} // namespace

Team::Team(int threads)
    // Spinning takes the core from a thread with work when there are more threads than cores.
    : spins_(threads <= available_threads() ? 4000 : 0) {
    const int helpers = std::clamp(threads, 1, 32767) - 1;
    helpers_.reserve(static_cast<std::size_t>(helpers));
    try {
        for (int i = 0; i < helpers; ++i)
            helpers_.emplace_back([this](const std::stop_token& stop) { help(stop); });
    } catch (...) {
        dismiss(); // those that did start sleep and must be woken to end
        throw;
    }
    placement_.place(helpers_);
}

Team::~Team() {
    dismiss();
}

void Team::dismiss() {
    for (std::jthread& helper : helpers_)
        helper.request_stop();
    gate_.fetch_add(one_region); // a closed region: it wakes the sleepers, who then see the stop
    gate_.notify_all();
    helpers_.clear();
}

void Team::run(KernelContext* context, ParallelBody body, const std::int64_t* captured, std::int64_t begin,
               std::int64_t end, std::int64_t chunk) {
    if (begin >= end || leaves_early(*context))
        return;
    if (helpers_.empty() || end - begin <= chunk) {
        body(context, captured, begin, end);
        return;
    }
    placement_.separate_from_caller();
    region_ = {context, body, captured, end, chunk};
    next_.store(begin, std::memory_order_relaxed);
    left_.store(0, std::memory_order_relaxed);
    const std::uint64_t before = gate_.load(std::memory_order_relaxed);
    gate_.store((before / one_region + 1) * one_region | open_bit, std::memory_order_release);
    gate_.notify_all();
    work();
    // Closed to helpers that have not come; the others are waited for.
    const std::uint64_t closed = gate_.fetch_and(~open_bit, std::memory_order_acq_rel);
    const auto entered = static_cast<std::uint32_t>((closed & helper_mask) / one_helper);
    for (int spin = 0; left_.load(std::memory_order_acquire) != entered; ++spin) {
        if (spin < spins_)
            pause();
        else
            std::this_thread::yield();
    }
}

void Team::work() {
    const Region region = region_;
    while (true) {
        const std::int64_t first = next_.fetch_add(region.chunk, std::memory_order_relaxed);
        if (first >= region.end || leaves_early(*region.context))
            return;
        region.body(region.context, region.captured, first, std::min(first + region.chunk, region.end));
    }
}

bool Team::enter(std::uint64_t& seen) {
    std::uint64_t gate = gate_.load(std::memory_order_acquire);
    while (gate / one_region != seen && (gate & open_bit) != 0) {
        if (gate_.compare_exchange_weak(gate, gate + one_helper, std::memory_order_acq_rel)) {
            seen = gate / one_region;
            return true;
        }
    }
    return false;
}

void Team::help(const std::stop_token& stop) {
    std::uint64_t seen = 0;
    while (!stop.stop_requested()) {
        if (enter(seen)) {
            work();
            left_.fetch_add(1, std::memory_order_release);
            continue;
        }
        bool moved = false;
        const std::uint64_t gate = gate_.load(std::memory_order_acquire);
        for (int spin = 0; spin < spins_ && !moved; ++spin) {
            pause();
            moved = gate_.load(std::memory_order_acquire) != gate;
        }
        const bool nothing_to_do = gate / one_region == seen || (gate & open_bit) == 0;
        if (!moved && nothing_to_do && !stop.stop_requested())
            gate_.wait(gate, std::memory_order_acquire);
    }
}

} // namespace sparsight
