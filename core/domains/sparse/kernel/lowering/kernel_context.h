// The border between compiled kernels and us: one struct of 8-byte fields that machine code reads by index,
// and the two functions that it calls back. Field order is what llvm_printer.cpp emits.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sparsight {

class ChunkRecorder;
class Team;
struct KernelContext;

/// The body of a parallel loop: runs iterations [begin, end). `captured` holds the values of the variables
/// bound outside.
using ParallelBody = void (*)(KernelContext*, const std::int64_t* captured, std::int64_t begin,
                              std::int64_t end);

struct KernelContext {
    static constexpr std::size_t max_levels = 8; ///< of a tensor of order 4

    const float* a = nullptr;
    const float* b = nullptr;
    const float* d = nullptr;
    float* c = nullptr;
    std::array<const std::int32_t*, max_levels> pos{};
    std::array<const std::int32_t*, max_levels> crd{};
    void (*run_parallel)(KernelContext*, ParallelBody, const std::int64_t* captured, std::int64_t begin,
                         std::int64_t end) = nullptr;
    void (*zero_output)(KernelContext*) = nullptr;
    /// Not 0: the run is to end soon, its result is not wanted. Kernels look at it in their outer loops, the
    /// team before each chunk; whoever leaves work undone for it writes `left_early`. A run that was nearly
    /// done may end complete all the same.
    std::atomic<std::int64_t> abandoned{0};
    static constexpr std::int64_t left_early = 2;
    // Only we read what follows.
    std::int64_t c_size = 0;
    std::int64_t chunk = 1;
    Team* team = nullptr;
    ChunkRecorder* recorder = nullptr; ///< only while a run is recorded
};

/// Fields by index, in units of 8 bytes.
enum class ContextField : std::uint64_t {
    A = 0,
    B = 1,
    D = 2,
    C = 3,
    Pos = 4,
    Crd = Pos + KernelContext::max_levels,
    RunParallel = Crd + KernelContext::max_levels,
    ZeroOutput,
    Abandoned
};

template <ContextField Field>
constexpr std::size_t context_offset = static_cast<std::size_t>(Field) * 8;
static_assert(offsetof(KernelContext, c) == context_offset<ContextField::C>);
static_assert(offsetof(KernelContext, pos) == context_offset<ContextField::Pos>);
static_assert(offsetof(KernelContext, crd) == context_offset<ContextField::Crd>);
static_assert(offsetof(KernelContext, run_parallel) == context_offset<ContextField::RunParallel>);
static_assert(offsetof(KernelContext, zero_output) == context_offset<ContextField::ZeroOutput>);
static_assert(offsetof(KernelContext, abandoned) == context_offset<ContextField::Abandoned>);
static_assert(std::atomic<std::int64_t>::is_always_lock_free && sizeof(std::atomic<std::int64_t>) == 8);

} // namespace sparsight
