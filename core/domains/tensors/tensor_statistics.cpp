#include "domains/tensors/tensor_statistics.h"

#include "domains/sparse/tensor/statistics.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <string>

namespace sparsight {
namespace {

/// How many places the entries have when the coordinates of one mode are left out.
std::int64_t fibres_along(const SparseTensor& tensor, std::size_t mode) {
    std::vector<std::size_t> modes;
    for (std::size_t other = 0; other < tensor.order(); ++other)
        if (other != mode)
            modes.push_back(other);
    modes.push_back(mode);
    const SparseTensor sorted = permuted(tensor, modes);
    std::int64_t fibres = sorted.nnz() > 0 ? 1 : 0;
    for (std::size_t entry = 1; entry < static_cast<std::size_t>(sorted.nnz()); ++entry) {
        const auto is_other = [&](const std::vector<std::int32_t>& of) { return of[entry] != of[entry - 1]; };
        fibres += std::any_of(sorted.coordinates.begin(), sorted.coordinates.end() - 1, is_other) ? 1 : 0;
    }
    return fibres;
}

LengthStatistics slices_of(const SparseTensor& tensor, std::size_t mode) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(tensor.sizes[mode]), 0);
    for (const std::int32_t at : tensor.coordinates[mode])
        ++lengths[static_cast<std::size_t>(at)];
    LengthCounts counts;
    for (const std::int64_t length : lengths)
        if (length > 0)
            counts.add(length);
    return counts.statistics(tensor.sizes[mode]);
}

std::vector<StatisticDescription> described() {
    std::vector<StatisticDescription> all{
        {"nnz", "Entries", "entries", "Entries that are stored, explicit zeros included.", true},
        {"density", "Density", "", "Entries over the product of the sizes.", false}};
    for (std::size_t mode = 1; mode <= most_tensor_order; ++mode) {
        const auto add = [&](const char* name, const char* title, const char* unit, std::string definition,
                             bool is_integer) {
            all.push_back({fmt::format("{}_{}", name, mode), fmt::format("{} of mode {}", title, mode), unit,
                           std::move(definition), is_integer});
        };
        add("size", "Size", "", "How many coordinates the mode has.", true);
        add("used", "Used slices", "slices", "Slices that have an entry.", true);
        add("mean_slice", "Mean slice", "entries", "Entries over the size of the mode.", false);
        add("longest_slice", "Longest slice", "entries", "Entries of the slice that has most.", true);
        add("slice_gini", "Gini coefficient of slices", "",
            "0 where all slices have as many entries, towards 1 where few slices have all.", false);
        add("mean_fibre", "Mean fibre", "entries",
            "Entries over the fibres along the mode that have any: how far a walk along it goes.", false);
    }
    return all;
}

} // namespace

std::span<const StatisticDescription> tensor_statistics() {
    static const std::vector<StatisticDescription> all = described();
    return all;
}

std::vector<double> statistics_of(const SparseTensor& tensor) {
    double places = 1;
    for (const std::int64_t size : tensor.sizes)
        places *= static_cast<double>(size);
    const auto nnz = static_cast<double>(tensor.nnz());
    std::vector<double> numbers{nnz, places > 0 ? nnz / places : 0};
    for (std::size_t mode = 0; mode < most_tensor_order; ++mode) {
        if (mode >= tensor.order()) {
            numbers.insert(numbers.end(), {1, nnz > 0 ? 1.0 : 0.0, nnz, nnz, 0, nnz > 0 ? 1.0 : 0.0});
            continue;
        }
        const LengthStatistics slices = slices_of(tensor, mode);
        const auto fibres = static_cast<double>(fibres_along(tensor, mode));
        numbers.insert(numbers.end(),
                       {static_cast<double>(tensor.sizes[mode]),
                        static_cast<double>(tensor.sizes[mode] - slices.empty), slices.mean,
                        static_cast<double>(slices.max), slices.gini, fibres > 0 ? nnz / fibres : 0});
    }
    return numbers;
}

} // namespace sparsight
