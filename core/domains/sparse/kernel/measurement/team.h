// The threads that run kernels, and the processors that they run on.
#pragma once

#include "domains/sparse/kernel/lowering/kernel_context.h"

#include <atomic>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

namespace sparsight {

/// Where the threads of a team run. Left to itself, the operating system may wake a helper on the processor
/// that the team's caller is busy on; a kernel of a millisecond is over before the helper is moved, and
/// takes twice as long as it could, again and again.
///
/// For a team that takes every processor it may use: keeps each helper on a processor of its own, apart from
/// the caller, who stays free, so that what the caller starts beside the team may run anywhere. Other teams
/// are not changed, and neither is one whose threads the system refuses to move.
class ThreadPlacement {
public:
    /// Before the first separate_from_caller(); the threads must outlive its last call.
    void place(std::span<std::jthread> helpers);

    /// Called by the caller before a region: when it runs on a helper's processor, the two change places.
    /// Costs a few nanoseconds when it does not.
    void separate_from_caller();

private:
    struct Place {
        std::thread::native_handle_type helper{};
        int processor = -1;
    };
    std::vector<Place> places_;
    int caller_processor_ = -1; ///< no helper's
};

// The threads that run kernels. A schedule with its parallel loop inside a sequential one opens thousands of
// parallel regions in one run, so opening one must cost about a microsecond: threads spin for a moment
// before they sleep, and a region does not wait for a thread that never came.
// The gate is read by threads that only wait, the other two counters are written by all: each has a cache
// line of its own.
// NOLINTNEXTLINE(clang-analyzer-optin.performance.Padding)
class Team {
public:
    /// The calling thread counts as one of them; `threads` ≥ 1. Throws std::system_error when a thread can't
    /// be started.
    explicit Team(int threads);
    ~Team();
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;

    [[nodiscard]] int size() const { return static_cast<int>(helpers_.size()) + 1; }

    /// Runs [begin, end) in chunks that threads take as they become free (OpenMP's dynamic schedule). Called
    /// by one thread at a time; returns when all iterations are done, or when the context says that the run
    /// is abandoned.
    void run(KernelContext* context, ParallelBody body, const std::int64_t* captured, std::int64_t begin,
             std::int64_t end, std::int64_t chunk);

private:
    struct Region {
        KernelContext* context = nullptr;
        ParallelBody body = nullptr;
        const std::int64_t* captured = nullptr;
        std::int64_t end = 0;
        std::int64_t chunk = 1;
    };

    void dismiss();
    void help(const std::stop_token& stop);
    void work();
    [[nodiscard]] bool enter(std::uint64_t& seen);

    Region region_;
    /// Counts regions in its upper 48 bits; the lowest bit says that the region is open, bits 1 … 15 how many
    /// helpers are in it.
    alignas(64) std::atomic<std::uint64_t> gate_{0};
    alignas(64) std::atomic<std::int64_t> next_{0};
    alignas(64) std::atomic<std::uint32_t> left_{0}; ///< helpers that have finished the region
    int spins_ = 0;
    std::vector<std::jthread> helpers_;
    ThreadPlacement placement_;
};

} // namespace sparsight
