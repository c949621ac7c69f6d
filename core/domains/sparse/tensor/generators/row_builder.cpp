#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

constexpr std::uint64_t steps_at_once = 1 << 16; ///< between two looks whether it was stopped

/// Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S: one look at every candidate.
void select_in_order(Random& random, std::uint64_t population, std::uint64_t count,
                     std::vector<std::uint64_t>& sample, const std::stop_token& stop) {
    for (std::uint64_t candidate = 0; sample.size() < count; ++candidate) {
        if (candidate % steps_at_once == 0)
            throw_if_stopped(stop);
        if (random.below(population - candidate) < count - sample.size())
            sample.push_back(candidate);
    }
}

/// Sorting hundreds of millions of numbers takes half a minute; whoever compares them can end it.
class StoppableOrder {
public:
    explicit StoppableOrder(const std::stop_token& stop)
        : stop_(&stop) {}

    bool operator()(std::uint64_t a, std::uint64_t b) {
        if (++steps_ % steps_at_once == 0)
            throw_if_stopped(*stop_);
        return a < b;
    }

private:
    const std::stop_token* stop_;
    std::uint64_t steps_ = 0;
};

/// Draws, drops what came twice and draws that many again: at most a quarter of the population is asked for,
/// so each round loses at most a quarter of its draws. Uniform, since no number is treated unlike another.
void draw_and_sort(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample, const std::stop_token& stop) {
    while (sample.size() < count) {
        throw_if_stopped(stop);
        const auto known = static_cast<std::ptrdiff_t>(sample.size());
        while (sample.size() < count)
            sample.push_back(random.below(population));
        std::sort(sample.begin() + known, sample.end(), StoppableOrder(stop));
        std::inplace_merge(sample.begin(), sample.begin() + known, sample.end());
        sample.erase(std::ranges::unique(sample).begin(), sample.end());
    }
}

} // namespace

void sample_sorted(Random& random, std::uint64_t population, std::uint64_t count,
                   std::vector<std::uint64_t>& sample, const std::stop_token& stop) {
    sample.clear();
    count = std::min(count, population);
    sample.reserve(count);
    if (count > population / 4)
        select_in_order(random, population, count, sample, stop);
    else
        draw_and_sort(random, population, count, sample, stop);
}

std::uint64_t share_of(std::uint64_t population, double share) {
    const double count = std::round(share * static_cast<double>(population));
    return std::min(population, static_cast<std::uint64_t>(count));
}

RowBuilder::RowBuilder(std::int64_t rows, std::int64_t cols, double expected_entries, std::stop_token stop)
    : stop_(std::move(stop)) {
    pattern_.rows = rows;
    pattern_.cols = cols;
    pattern_.row_pointers.reserve(static_cast<std::size_t>(rows) + 1);
    pattern_.column_ids.reserve(static_cast<std::size_t>(expected_entries));
}

void RowBuilder::close_row() {
    if (!ascending_) {
        const auto row_begin =
            pattern_.column_ids.begin() + static_cast<std::ptrdiff_t>(pattern_.row_pointers.back());
        std::sort(row_begin, pattern_.column_ids.end());
        pattern_.column_ids.erase(std::unique(row_begin, pattern_.column_ids.end()),
                                  pattern_.column_ids.end());
    }
    ascending_ = true;
    last_col_ = -1;
}

void RowBuilder::start_row(std::int64_t row) {
    throw_if_stopped(stop_);
    close_row();
    pattern_.row_pointers.resize(static_cast<std::size_t>(row) + 1, pattern_.nnz());
    row_ = row;
}

void RowBuilder::add_range(std::int64_t row, std::int64_t first, std::int64_t last) {
    first = std::max<std::int64_t>(first, 0);
    last = std::min(last, pattern_.cols);
    for (std::int64_t col = first; col < last; ++col)
        add(row, col);
}

void RowBuilder::add_blocks(std::int64_t first_row, std::int64_t last_row,
                            std::span<const std::uint64_t> block_cols, std::int64_t block_width) {
    last_row = std::min(last_row, pattern_.rows);
    for (std::int64_t row = first_row; row < last_row; ++row)
        for (const std::uint64_t block : block_cols) {
            const std::int64_t first = static_cast<std::int64_t>(block) * block_width;
            add_range(row, first, first + block_width);
        }
}

CsrPattern RowBuilder::finish() {
    close_row();
    pattern_.row_pointers.resize(static_cast<std::size_t>(pattern_.rows) + 1, pattern_.nnz());
    return std::move(pattern_);
}

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
