// A run of centres small enough for the first cache, with its pairs sorted by offset: each weight matrix is
// then used for many pairs in a row, whose sums stay in the cache.
#pragma once

#include "model/neighbour_table.h"
#include "model/pair_kernels.h"
#include "model/part_runner.h"

#include <array>
#include <cstdint>

namespace sparsight {

/// 128 rows of 32 channels in single precision are 16 KiB.
inline constexpr std::int64_t tile_centres = 128;

class NeighbourTile {
public:
    /// Takes the pairs of these centres, at most tile_centres.
    void read(const NeighbourTable& table, CentreRange centres) {
        centre_count_ = centres.end - centres.begin;
        kernel_area_ = table.kernel_size * table.kernel_size;
        counts_.fill(0);
        for (std::int64_t centre = centres.begin; centre < centres.end; ++centre)
            for_each_neighbour(table, centre, [&](int bit, std::int32_t neighbour) {
                const auto offset = static_cast<std::size_t>(bit);
                const auto at = static_cast<std::size_t>(counts_[offset]++);
                neighbours_[offset][at] = neighbour;
                centres_[offset][at] = static_cast<std::int32_t>(centre - centres.begin);
            });
    }

    [[nodiscard]] std::int64_t centre_count() const { return centre_count_; }
    [[nodiscard]] int kernel_area() const { return kernel_area_; }

    /// The pairs of one offset; centres count from the first one. Valid until the next read().
    [[nodiscard]] PairList pairs(int bit) const {
        const auto offset = static_cast<std::size_t>(bit);
        return {neighbours_[offset].data(), centres_[offset].data(), counts_[offset]};
    }

private:
    static constexpr std::size_t offsets = max_kernel_size * max_kernel_size;
    using Indices = std::array<std::int32_t, tile_centres>;

    std::int64_t centre_count_ = 0;
    int kernel_area_ = 0;
    std::array<int, offsets> counts_;
    std::array<Indices, offsets> neighbours_;
    std::array<Indices, offsets> centres_;
};

} // namespace sparsight
