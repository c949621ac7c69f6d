#include "model/unit_layer.h"

#include "model/row_blocks.h"

#include <algorithm>
#include <bit>

namespace sparsight {

namespace {

template <typename Use>
void for_each_bit(std::uint32_t mask, Use&& use) {
    for (; mask != 0; mask &= mask - 1)
        use(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The end of the run of equal masks that starts at `begin`.
std::int64_t end_of_run(const NeighbourTable& table, std::int64_t begin, std::int64_t end) {
    const std::uint32_t* masks = table.masks.data();
    return std::find_if(masks + begin, masks + end,
                        [&](std::uint32_t mask) { return mask != masks[begin]; }) -
           masks;
}

} // namespace

void unit_products(const NeighbourTable& table, CentreRange centres, const PairKernels<float>& kernels,
                   std::int64_t channels, const WeightMatrices<const float>& weights, float* rows) {
    std::array<float, max_kernel_size * max_kernel_size> ones;
    ones.fill(1);
    for (std::int64_t begin = centres.begin; begin < centres.end;) {
        const std::int64_t end = end_of_run(table, begin, centres.end);
        WeightMatrices<const float> present{};
        int count = 0;
        for_each_bit(table.masks[static_cast<std::size_t>(begin)],
                     [&](std::size_t bit) { present[static_cast<std::size_t>(count++)] = weights[bit]; });
        kernels.weighted_sum(count, ones.data(), present.data(), channels, rows);
        for (const float* first = rows; ++begin < end; rows += channels)
            std::copy_n(first, channels, rows + channels);
        rows += channels;
    }
}

void add_unit_outer_products(const NeighbourTable& table, CentreRange centres, std::int64_t channels,
                             const float* rows, const WeightMatrices<float>& weights) {
    FloatBuffer sum;
    for (std::int64_t begin = centres.begin; begin < centres.end;) {
        const std::int64_t end = end_of_run(table, begin, centres.end);
        sum.assign(static_cast<std::size_t>(channels), 0);
        add_rows(rows, end - begin, channels, sum.data());
        for_each_bit(table.masks[static_cast<std::size_t>(begin)],
                     [&](std::size_t bit) { add_rows(sum.data(), 1, channels, weights[bit]); });
        rows += (end - begin) * channels;
        begin = end;
    }
}

} // namespace sparsight
