// The threads that run kernels. A schedule with its parallel loop inside a sequential one opens thousands of
// parallel regions in one run, so opening one must cost about a microsecond: threads wait by spinning for a
// moment before they sleep, and a region does not wait for a thread that never came.
#pragma once

#include "kernel/kernel_context.h"
#include "kernel/thread_placement.h"

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace sparsight {

// Who only waits reads the gate; the other two are written by all: each has a cache line of its own.
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
