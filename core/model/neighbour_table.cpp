#include "model/neighbour_table.h"

#include "base/parallel.h"

#include <algorithm>
#include <array>

namespace sparsight {

namespace {

NeighbourTable empty_table(std::size_t centres, int kernel_size) {
    NeighbourTable table;
    table.kernel_size = kernel_size;
    table.masks.resize(centres);
    table.first.resize(centres * static_cast<std::size_t>(kernel_size));
    return table;
}

std::int64_t at_or_after(const CoordinateSet& coordinates, std::int64_t key) {
    return std::lower_bound(coordinates.begin(), coordinates.end(), key) - coordinates.begin();
}

/// ⌈a / b⌉ for b > 0 and any a.
constexpr std::int64_t ceiling(std::int64_t a, std::int64_t b) {
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/// Sets the bit of each candidate from `at` on whose place(key) lies in the kernel's row; at most
/// `candidates`.
template <typename Place>
std::uint32_t row_bits(const CoordinateSet& set, std::int64_t at, int candidates, int kernel_size,
                       Place&& place) {
    const std::int64_t end = std::min<std::int64_t>(at + candidates, static_cast<std::int64_t>(set.size()));
    std::uint32_t bits = 0;
    for (; at < end; ++at) {
        const auto column = static_cast<std::uint64_t>(place(set[static_cast<std::size_t>(at)]));
        const bool inside = column < static_cast<std::uint64_t>(kernel_size);
        bits |= static_cast<std::uint32_t>(inside) << (column & 31U);
    }
    return bits;
}

} // namespace

std::int64_t NeighbourTable::pairs() const {
    std::int64_t pairs = 0;
    for (const std::uint32_t mask : masks)
        pairs += std::popcount(mask);
    return pairs;
}

NeighbourTable inputs_of_outputs(const CoordinateSet& inputs, const CoordinateSet& outputs, int kernel_size,
                                 int stride, int threads) {
    NeighbourTable table = empty_table(outputs.size(), kernel_size);
    const int half = kernel_size / 2;
    const auto input_count = static_cast<std::int64_t>(inputs.size());
    parallel_parts(threads, table.count(), [&](int, std::int64_t begin, std::int64_t end) {
        if (begin == end)
            return;
        // The leftmost place of kernel row `row` around an output; ascending with the outputs.
        const auto leftmost = [&](std::int64_t output, int row) {
            return pack_coordinate(row_of(output) * stride + row - half, column_of(output) * stride - half);
        };
        std::array<std::int64_t, max_kernel_size> walk{};
        for (int row = 0; row < kernel_size; ++row)
            walk[static_cast<std::size_t>(row)] =
                at_or_after(inputs, leftmost(outputs[static_cast<std::size_t>(begin)], row));
        for (std::int64_t centre = begin; centre < end; ++centre) {
            std::uint32_t mask = 0;
            for (int row = 0; row < kernel_size; ++row) {
                const std::int64_t target = leftmost(outputs[static_cast<std::size_t>(centre)], row);
                std::int64_t& at = walk[static_cast<std::size_t>(row)];
                while (at < input_count && inputs[static_cast<std::size_t>(at)] < target)
                    ++at;
                mask |= row_bits(inputs, at, kernel_size, kernel_size,
                                 [&](std::int64_t key) { return key - target; })
                        << (row * kernel_size);
                table.first[static_cast<std::size_t>(centre * kernel_size + row)] =
                    static_cast<std::int32_t>(at);
            }
            table.masks[static_cast<std::size_t>(centre)] = mask;
        }
    });
    return table;
}

NeighbourTable outputs_of_inputs(const CoordinateSet& inputs, const CoordinateSet& outputs, int kernel_size,
                                 int stride, int threads) {
    NeighbourTable table = empty_table(inputs.size(), kernel_size);
    const int half = kernel_size / 2;
    const int candidates = (kernel_size - 1) / stride + 1;
    const auto output_count = static_cast<std::int64_t>(outputs.size());
    parallel_parts(threads, table.count(), [&](int, std::int64_t begin, std::int64_t end) {
        std::array<std::int64_t, max_kernel_size> walk{};
        walk.fill(-1);
        for (std::int64_t centre = begin; centre < end; ++centre) {
            const std::int64_t input = inputs[static_cast<std::size_t>(centre)];
            const std::int64_t column = column_of(input);
            std::uint32_t mask = 0;
            for (int row = 0; row < kernel_size; ++row) {
                std::int32_t& first = table.first[static_cast<std::size_t>(centre * kernel_size + row)];
                first = 0;
                const std::int64_t fine_row = row_of(input) + row - half;
                if (fine_row % stride != 0)
                    continue;
                const std::int64_t row_start = pack_coordinate(fine_row / stride, 0);
                const std::int64_t target = row_start + ceiling(column - half, stride);
                std::int64_t& at = walk[static_cast<std::size_t>(row)];
                if (at < 0)
                    at = at_or_after(outputs, target);
                while (at < output_count && outputs[static_cast<std::size_t>(at)] < target)
                    ++at;
                mask |= row_bits(outputs, at, candidates, kernel_size,
                                 [&](std::int64_t key) { return (key - row_start) * stride - column + half; })
                        << (row * kernel_size);
                first = static_cast<std::int32_t>(at);
            }
            table.masks[static_cast<std::size_t>(centre)] = mask;
        }
    });
    return table;
}

} // namespace sparsight
