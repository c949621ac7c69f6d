// How many rows (or columns) have each length, and what follows from that.
#pragma once

#include "matrix/statistics.h"

#include <cstdint>
#include <vector>

namespace sparsight {

class LengthCounts {
public:
    void add(std::int64_t length) {
        if (length >= few)
            long_ones_.push_back(length);
        else
            ++counts_[static_cast<std::size_t>(length)];
    }

    /// `total` rows; those that were not added are empty.
    [[nodiscard]] LengthStatistics statistics(std::int64_t total);

private:
    static constexpr std::int64_t few = 4096;
    std::vector<std::int64_t> counts_ = std::vector<std::int64_t>(few);
    std::vector<std::int64_t> long_ones_;
};

} // namespace sparsight
