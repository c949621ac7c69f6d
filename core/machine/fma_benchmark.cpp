#include "machine/fma_benchmark.h"

#include "machine/timed_team.h"

#include <atomic>
#include <cstdint>
#include <utility>

namespace sparsight {

namespace {

/// Latency 4 to 5 cycles times two units a core makes 8 to 10 chains at least; more are no slower as long as
/// they fit the registers.
constexpr int chains = 12;
constexpr std::int64_t steps_per_round = 200'000;

/// Each chain tends to 2, so that no step meets a denormal or an infinity, whose speed may differ.
constexpr float factor = 0.5F;
constexpr float summand = 1.0F;

template <std::size_t Lanes>
struct Vectors;
template <>
struct Vectors<4> {
    using Vector [[gnu::vector_size(16)]] = float;
};
template <>
struct Vectors<8> {
    using Vector [[gnu::vector_size(32)]] = float;
};
template <>
struct Vectors<16> {
    using Vector [[gnu::vector_size(64)]] = float;
};

/// Inlined into functions for different instruction sets: the compiler fuses multiply and add where they can.
/// The chains are written out by a fold, because GCC keeps an array that a loop walks over in memory.
template <std::size_t Lanes, std::size_t... Chain>
[[gnu::always_inline]] inline float run_chains(std::int64_t steps, std::index_sequence<Chain...>) {
    using Vector = typename Vectors<Lanes>::Vector;
    // Different starts, or they would be merged into one chain; none is 2, which each step leaves as it is.
    Vector sums[] = {(Vector{} - static_cast<float>(Chain))...};
    const Vector m = Vector{} + factor;
    const Vector a = Vector{} + summand;
    for (std::int64_t step = 0; step < steps; ++step)
        ((sums[Chain] = sums[Chain] * m + a), ...);
    const Vector total = (sums[Chain] + ...);
    return total[0];
}

constexpr auto all_chains = std::make_index_sequence<chains>();

#if defined(__x86_64__)
[[gnu::target("avx512f")]] float run_avx512(std::int64_t steps) {
    return run_chains<16>(steps, all_chains);
}
[[gnu::target("avx2,fma")]] float run_avx2(std::int64_t steps) {
    return run_chains<8>(steps, all_chains);
}
#endif
/// Four lanes are what every x86-64 and 64-bit ARM has.
float run_portable(std::int64_t steps) {
    return run_chains<4>(steps, all_chains);
}

struct Variant {
    float (*run)(std::int64_t steps) = nullptr; ///< returns a number that depends on every step
    int lanes = 1;
};

Variant widest_variant() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return {run_avx512, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return {run_avx2, 8};
#endif
    return {run_portable, 4};
}

} // namespace

Result<GigaflopsPerSecond> measure_peak_fma(const std::vector<int>& processors, Seconds budget,
                                            const std::stop_token& stop) {
    const Variant variant = widest_variant();
    std::atomic<float> used = 0; // so that no compiler drops the work
    const auto round = median_round(
        processors, budget, stop,
        {.prepare = [](int) {},
         .round = [&](int) { used.store(variant.run(steps_per_round), std::memory_order_relaxed); }});
    if (!round)
        return std::unexpected(round.error());
    const double operations = 2.0 * chains * variant.lanes * static_cast<double>(steps_per_round) *
                              static_cast<double>(processors.size());
    return GigaflopsPerSecond{operations / round->count() / 1e9};
}

} // namespace sparsight
