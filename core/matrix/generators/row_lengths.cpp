#include "matrix/generators/row_lengths.h"

#include "matrix/generators/row_builder.h"
#include "matrix/generators/sampling.h"

#include <cmath>
#include <numeric>

namespace sparsight {

std::vector<std::int64_t> round_keeping_sum(std::span<const double> lengths) {
    std::vector<std::int64_t> rounded;
    rounded.reserve(lengths.size());
    double exact = 0;
    std::int64_t given = 0;
    for (const double length : lengths) {
        exact += length;
        rounded.push_back(std::llround(exact) - given);
        given += rounded.back();
    }
    return rounded;
}

CsrPattern fill_rows(std::span<const std::int64_t> lengths, std::int64_t cols, Random& random,
                     const std::stop_token& stop) {
    const auto entries = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
    RowBuilder builder(static_cast<std::int64_t>(lengths.size()), cols, static_cast<double>(entries), stop);
    std::vector<std::uint64_t> sample;
    for (std::size_t row = 0; row < lengths.size(); ++row) {
        sample_sorted(random, static_cast<std::uint64_t>(cols), static_cast<std::uint64_t>(lengths[row]),
                      sample);
        for (const std::uint64_t col : sample)
            builder.add(static_cast<std::int64_t>(row), static_cast<std::int64_t>(col));
    }
    return builder.finish();
}

} // namespace sparsight
