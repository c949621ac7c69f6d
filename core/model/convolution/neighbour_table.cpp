#include "model/convolution/neighbour_table.h"

#include "base/parallel.h"

#include <algorithm>
#include <atomic>

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

/// Bits in the masks of these centres. Compilers make vector instructions of this and, where they can't
/// assume a newer processor, a function call of std::popcount.
std::int64_t count_pairs(const NeighbourTable& table, CentreRange centres) {
    std::uint64_t pairs = 0;
    for (std::int64_t centre = centres.begin; centre < centres.end; ++centre) {
        std::uint32_t bits = table.masks[static_cast<std::size_t>(centre)];
        bits -= (bits >> 1) & 0x5555'5555;
        bits = (bits & 0x3333'3333) + ((bits >> 2) & 0x3333'3333);
        bits = (bits + (bits >> 4)) & 0x0F0F'0F0F;
        bits += bits >> 8;
        bits += bits >> 16;
        pairs += bits & 0xFF;
    }
    return static_cast<std::int64_t>(pairs);
}

/// ⌈a / b⌉ for b > 0 and any a.
template <typename Stride>
constexpr std::int64_t ceiling(std::int64_t a, Stride b) {
    return a >= 0 ? (a + b - 1) / b : -(-a / b);
}

/// The first place from `at` on whose key is not below `target`. Mostly it is a step or two away, which a
/// processor does faster without guessing.
[[gnu::always_inline]] inline std::int64_t advanced(const CoordinateSet& set, std::int64_t at,
                                                    std::int64_t target) {
    const auto count = static_cast<std::int64_t>(set.size());
    const std::int64_t* keys = set.data();
    if (at + 2 < count) {
        at += keys[at] < target ? 1 : 0;
        at += keys[at] < target ? 1 : 0;
    }
    while (at < count && keys[at] < target)
        ++at;
    return at;
}

/// Sets bit place(key) for each key from `at` on for which it is one of the `kernel_size` places of a row; at
/// most `candidates` keys are.
template <typename Size, typename Place>
std::uint32_t row_bits(const CoordinateSet& set, std::int64_t at, Size candidates, int kernel_size,
                       Place&& place) {
    const auto bit = [&](std::int64_t key) {
        const auto column = static_cast<std::uint64_t>(place(key));
        const bool inside = column < static_cast<std::uint64_t>(kernel_size);
        return static_cast<std::uint32_t>(inside) << (column & 31U);
    };
    const std::int64_t* keys = set.data() + at;
    const std::int64_t left = static_cast<std::int64_t>(set.size()) - at;
    std::uint32_t bits = 0;
    if (left >= candidates) {
        for (int i = 0; i < candidates; ++i)
            bits |= bit(keys[i]);
    } else {
        for (int i = 0; i < left; ++i)
            bits |= bit(keys[i]);
    }
    return bits;
}

/// Walks the inputs once for each row of the kernel, from where the outputs [begin, end) need them.
template <typename Size, typename Stride>
std::int64_t find_inputs(const CoordinateSet& inputs, const CoordinateSet& outputs, Size size, Stride stride,
                         CentreRange centres, VectorInstructions set, NeighbourTable& table) {
    if (centres.begin == centres.end)
        return 0;
    const int half = size / 2;
    constexpr std::int64_t next_row = pack_coordinate(1, 0);
    // The leftmost place of the first kernel row around an output; ascending with the outputs. Packing is
    // linear, so that row and column need not be taken apart.
    const auto corner = [&](std::int64_t centre) {
        return outputs[static_cast<std::size_t>(centre)] * stride - pack_coordinate(half, half);
    };
    KernelWalk walk{};
    for (int row = 0; row < size; ++row)
        walk[static_cast<std::size_t>(row)] = at_or_after(inputs, corner(centres.begin) + row * next_row);
    std::int64_t centre = walk_sorted_windows(inputs, outputs, stride, centres, set, walk, table);
    for (; centre < centres.end; ++centre) {
        const std::int64_t target = corner(centre);
        std::uint32_t mask = 0;
        std::int32_t* const first = table.first.data() + centre * size;
        for (int row = 0; row < size; ++row) {
            const std::int64_t leftmost = target + row * next_row;
            std::int64_t& at = walk[static_cast<std::size_t>(row)];
            at = advanced(inputs, at, leftmost);
            mask |= row_bits(inputs, at, size, size, [&](std::int64_t key) { return key - leftmost; })
                    << (row * size);
            first[row] = static_cast<std::int32_t>(at);
        }
        table.masks[static_cast<std::size_t>(centre)] = mask;
    }
    return count_pairs(table, centres);
}

/// The same over the outputs; a row of the kernel has at most one output for every `stride` places.
template <typename Size, typename Stride>
std::int64_t find_outputs(const CoordinateSet& inputs, const CoordinateSet& outputs, Size size, Stride stride,
                          CentreRange centres, NeighbourTable& table) {
    const int half = size / 2;
    const int candidates = (size - 1) / stride + 1;
    KernelWalk walk{};
    walk.fill(-1);
    for (std::int64_t centre = centres.begin; centre < centres.end; ++centre) {
        const std::int64_t input = inputs[static_cast<std::size_t>(centre)];
        const std::int64_t column = column_of(input);
        std::uint32_t mask = 0;
        for (int row = 0; row < size; ++row) {
            std::int32_t& first = table.first[static_cast<std::size_t>(centre * size + row)];
            first = 0;
            const std::int64_t fine_row = row_of(input) + row - half;
            if (fine_row % stride != 0)
                continue;
            const std::int64_t row_start = pack_coordinate(fine_row / stride, 0);
            const std::int64_t target = row_start + ceiling(column - half, stride);
            std::int64_t& at = walk[static_cast<std::size_t>(row)];
            at = at < 0 ? at_or_after(outputs, target) : advanced(outputs, at, target);
            mask |= row_bits(outputs, at, candidates, size,
                             [&](std::int64_t key) { return (key - row_start) * stride - column + half; })
                    << (row * size);
            first = static_cast<std::int32_t>(at);
        }
        table.masks[static_cast<std::size_t>(centre)] = mask;
    }
    return count_pairs(table, centres);
}

/// Fills the table with find(centres), which returns how many pairs it found.
template <typename Find>
void fill(NeighbourTable& table, int threads, Find&& find) {
    std::atomic<std::int64_t> pairs = 0;
    parallel_parts(
        useful_threads(threads, table.count()), table.count(),
        [&](int, std::int64_t begin, std::int64_t end) { pairs += find(CentreRange{begin, end}); });
    table.pair_count = pairs;
}

} // namespace

NeighbourTable inputs_of_outputs(const CoordinateSet& inputs, const CoordinateSet& outputs, int kernel_size,
                                 int stride, int threads, VectorInstructions set) {
    NeighbourTable table = empty_table(outputs.size(), kernel_size);
    with_constant_layer(kernel_size, stride, [&](auto size, auto by) {
        fill(table, threads, [&](CentreRange centres) {
            return find_inputs(inputs, outputs, size, by, centres, set, table);
        });
    });
    return table;
}

NeighbourTable outputs_of_inputs(const CoordinateSet& inputs, const CoordinateSet& outputs, int kernel_size,
                                 int stride, int threads) {
    NeighbourTable table = empty_table(inputs.size(), kernel_size);
    with_constant_layer(kernel_size, stride, [&](auto size, auto by) {
        fill(table, threads,
             [&](CentreRange centres) { return find_outputs(inputs, outputs, size, by, centres, table); });
    });
    return table;
}

} // namespace sparsight
