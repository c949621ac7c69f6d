#include "gui/workspace/loaded_matrix.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

std::vector<std::int64_t> row_lengths(const CsrPattern& pattern) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(pattern.rows));
    for (std::size_t row = 0; row < lengths.size(); ++row)
        lengths[row] = pattern.row_pointers[row + 1] - pattern.row_pointers[row];
    return lengths;
}

std::vector<std::int64_t> column_lengths(const CsrPattern& pattern) {
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(pattern.cols));
    for (const std::int32_t column : pattern.column_ids)
        ++lengths[static_cast<std::size_t>(column)];
    return lengths;
}

} // namespace

std::uint64_t LoadedMatrix::bytes() const {
    // The pyramid's index and levels are about as large as the column ids again (density_pyramid.h).
    return pattern->row_pointers.size() * sizeof(std::int64_t) +
           2 * pattern->column_ids.size() * sizeof(std::int32_t) + pattern->values.size() * sizeof(float);
}

LengthHistogram length_histogram(const std::vector<std::int64_t>& lengths, int wanted) {
    if (lengths.empty())
        return {};
    const auto [shortest, longest] = std::ranges::minmax(lengths);
    const std::int64_t width = (longest - shortest) / wanted + 1;
    const auto bins = static_cast<std::size_t>((longest - shortest) / width + 1);
    LengthHistogram histogram;
    histogram.counts.resize(bins);
    for (std::size_t bin = 0; bin <= bins; ++bin)
        histogram.edges.push_back(static_cast<double>(shortest + static_cast<std::int64_t>(bin) * width));
    for (const std::int64_t length : lengths)
        histogram.counts[static_cast<std::size_t>((length - shortest) / width)] += 1;
    return histogram;
}

Result<std::shared_ptr<const LoadedMatrix>> look_at_matrix(QString name, CsrPattern pattern, int threads) {
    auto loaded = std::make_shared<LoadedMatrix>();
    loaded->name = std::move(name);
    try {
        loaded->pattern = std::make_shared<const CsrPattern>(std::move(pattern));
        auto pyramid = DensityPyramid::build(loaded->pattern, threads);
        if (!pyramid)
            return std::unexpected(pyramid.error());
        loaded->pyramid = std::make_shared<const DensityPyramid>(std::move(*pyramid));
        loaded->statistics = compute_statistics(*loaded->pattern, threads);
        loaded->row_lengths = length_histogram(row_lengths(*loaded->pattern));
        loaded->column_lengths = length_histogram(column_lengths(*loaded->pattern));
    } catch (const std::bad_alloc&) {
        return fail(Fault::Environment, "out of memory: the matrix is too large to be shown here");
    }
    return loaded;
}

} // namespace sparsight
