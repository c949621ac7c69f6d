#include "domains/sparse/simulator/cache_span.h"

#include "base/quantity.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>
#include <iterator>

namespace sparsight {

namespace {

constexpr double index_bytes = 4;
constexpr double value_bytes = 4;
constexpr std::int64_t values_of_line = 16; ///< float32 in a cache line

std::int64_t least_width(Operator op, std::int64_t dense) {
    return op == Operator::SpMV ? 1 : std::min(dense, values_of_line);
}

WorkingSet working_set(Operator op, std::int64_t width, const PatternStatistics& matrix) {
    const auto rows = static_cast<double>(matrix.rows);
    const auto nnz = static_cast<double>(matrix.nnz);
    const double row_bytes = static_cast<double>(width) * value_bytes; // of a dense operand
    double sparse = (rows + 1) * index_bytes + nnz * (index_bytes + value_bytes);
    if (op == Operator::SDDMM)
        sparse += nnz * value_bytes; // the output is sparse, too
    return {sparse + rows * row_bytes, static_cast<double>(matrix.cols) * row_bytes};
}

struct CacheSize {
    int level = 1;
    double bytes = 0;
    double parts = 1; ///< into which the work is divided: how many such caches there are
};

std::vector<CacheSize> caches_of(const MachineDescription& machine) {
    const MachineParameters values = resolve_parameters(machine).values;
    const double cores = values[MachineParameter::Cores];
    const double second = values[MachineParameter::L2Bytes];
    const double third = values[MachineParameter::L3Bytes];
    const double third_caches = std::min(values[MachineParameter::L3Caches], cores);
    std::vector<CacheSize> caches{{1, values[MachineParameter::L1Bytes], cores}, {2, second, cores}};
    if (third > 0)
        caches.push_back({3, (third + second * cores) / third_caches, third_caches});
    return caches;
}

double touched(const WorkingSet& set, const CacheSize& cache) {
    return set.of_core(cache.parts);
}

/// Rows, and columns, of a square matrix that touches more than these bytes, or less.
std::uint64_t helpful_rows(const CacheGap& gap, Operator op, std::int64_t dense) {
    const std::int64_t width = gap.all_fit && op != Operator::SpMV ? dense : least_width(op, dense);
    const double of_row = static_cast<double>(width) * value_bytes * (gap.level == 3 ? 2 : 1);
    const auto rows = static_cast<std::uint64_t>(gap.bytes / of_row);
    return gap.all_fit ? std::bit_ceil(rows + 1) : std::bit_floor(std::max<std::uint64_t>(rows / 4, 4));
}

} // namespace

WorkingSet whole_working_set(Operator op, std::int64_t dense, const PatternStatistics& matrix) {
    return working_set(op, op == Operator::SpMV ? 1 : dense, matrix);
}

WorkingSet least_working_set(Operator op, std::int64_t dense, const PatternStatistics& matrix) {
    return working_set(op, least_width(op, dense), matrix);
}

std::vector<CacheGap> cache_gaps(Operator op, std::int64_t dense, std::span<const PatternStatistics> matrices,
                                 std::span<const MachineDescription> machines) {
    constexpr int levels = 3;
    std::array<CacheGap, std::size_t{2} * levels> gaps; // those that all fit into at even places
    for (int level = 1; level <= levels; ++level)
        for (const bool all_fit : {true, false})
            gaps[2 * static_cast<std::size_t>(level - 1) + (all_fit ? 0 : 1)] = {level, all_fit, 0,
                                                                                 machines.size(), 0};
    for (const MachineDescription& machine : machines)
        for (const CacheSize& cache : caches_of(machine)) {
            const auto fits = [&](const WorkingSet& set) { return touched(set, cache) <= cache.bytes; };
            const auto first = 2 * static_cast<std::size_t>(cache.level - 1);
            if (std::ranges::all_of(matrices, [&](const PatternStatistics& matrix) {
                    return fits(whole_working_set(op, dense, matrix));
                })) {
                ++gaps[first].machines;
                gaps[first].bytes = std::max(gaps[first].bytes, cache.bytes);
            }
            if (std::ranges::none_of(matrices, [&](const PatternStatistics& matrix) {
                    return fits(least_working_set(op, dense, matrix));
                })) {
                CacheGap& gap = gaps[first + 1];
                gap.bytes = gap.machines++ == 0 ? cache.bytes : std::min(gap.bytes, cache.bytes);
            }
        }
    std::vector<CacheGap> found;
    std::ranges::copy_if(gaps, std::back_inserter(found),
                         [](const CacheGap& gap) { return gap.machines > 0; });
    return found;
}

std::string sentence(const CacheGap& gap, Operator op, std::int64_t dense) {
    const std::uint64_t rows = helpful_rows(gap, op, dense);
    const std::string command =
        gap.all_fit ? fmt::format("simulate multi-diagonal --param size={}", rows)
                    : fmt::format("simulate uniform --param rows={} --param cols={} --param density=0.05",
                                  rows, rows);
    return fmt::format("the size of the L{} cache can't be learned on {} of {} simulated machines: {} ({}); "
                       "{} matrices would help: `{}`, then `collect`",
                       gap.level, gap.machines, gap.of_machines,
                       gap.all_fit ? "every matrix fits into it" : "no matrix fits into it",
                       format_bytes(static_cast<std::uint64_t>(gap.bytes)),
                       gap.all_fit ? "larger" : "smaller", command);
}

} // namespace sparsight
