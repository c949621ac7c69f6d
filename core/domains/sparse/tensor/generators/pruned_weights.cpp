#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace sparsight {

namespace {

/// Weights of row r are normal with standard deviation scale[r], and those larger than one threshold are
/// kept. Row r then keeps cols · erfc(threshold / (scale[r] √2)) of them; the threshold is bisected until
/// that adds up to `entries`.
std::vector<double> lengths_above_threshold(std::span<const double> scales, double cols, double entries) {
    std::vector<double> lengths(scales.size());
    const auto total_above = [&](double threshold) {
        double total = 0;
        for (std::size_t row = 0; row < scales.size(); ++row) {
            lengths[row] = cols * std::erfc(threshold / (scales[row] * std::numbers::sqrt2));
            total += lengths[row];
        }
        return total;
    };
    double low = 0;
    double high = 40 * *std::ranges::max_element(scales);
    for (int step = 0; step < 60; ++step) {
        const double middle = (low + high) / 2;
        (total_above(middle) > entries ? low : high) = middle;
    }
    total_above(low);
    return lengths;
}

Result<CsrPattern> build_pruned_random(const Settings& settings, Random& random,
                                       const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const double entries =
        (1 - settings.real("sparsity")) * static_cast<double>(rows) * static_cast<double>(cols);
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    std::vector<double> scales(static_cast<std::size_t>(rows));
    for (double& scale : scales)
        scale = std::exp(settings.real("row-spread") * random.normal());
    const std::vector<std::int64_t> lengths =
        round_keeping_sum(lengths_above_threshold(scales, static_cast<double>(cols), entries));
    return fill_rows(lengths, cols, random, stop);
}

Result<CsrPattern> build_pruned_n_m(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const std::int64_t kept = settings.integer("n");
    const std::int64_t group = settings.integer("m");
    if (kept > group)
        return fail(Fault::Input, fmt::format("n is {} but a group has only m = {} weights", kept, group));
    const double groups = std::ceil(static_cast<double>(cols) / static_cast<double>(group));
    const double entries = static_cast<double>(rows) * groups * static_cast<double>(kept);
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(rows, cols, entries, stop);
    std::vector<std::uint64_t> sample;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t first = 0; first < cols; first += group) {
            sample_sorted(random, static_cast<std::uint64_t>(std::min(group, cols - first)),
                          static_cast<std::uint64_t>(kept), sample);
            for (const std::uint64_t place : sample)
                builder.add(row, first + static_cast<std::int64_t>(place));
        }
    return builder.finish();
}

Result<CsrPattern> build_pruned_block(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const std::int64_t height = settings.integer("block-rows");
    const std::int64_t width = settings.integer("block-cols");
    const double share = 1 - settings.real("sparsity");
    const std::int64_t down = (rows + height - 1) / height;
    const auto across = static_cast<std::uint64_t>((cols + width - 1) / width);
    const auto blocks = share_of(static_cast<std::uint64_t>(down) * across, share);
    const double block_entries =
        static_cast<double>(std::min(height, rows)) * static_cast<double>(std::min(width, cols));
    const double entries = static_cast<double>(blocks) * block_entries;
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(rows, cols, entries, stop);
    std::vector<std::uint64_t> kept;
    std::int64_t block_row = 0;
    const auto write_block_row = [&] {
        builder.add_blocks(block_row * height, (block_row + 1) * height, kept, width);
        kept.clear();
    };
    visit_share(random, static_cast<std::uint64_t>(down) * across, share, stop, [&](std::uint64_t position) {
        const auto row = static_cast<std::int64_t>(position / across);
        if (row != block_row)
            write_block_row();
        block_row = row;
        kept.push_back(position % across);
    });
    write_block_row();
    return builder.finish();
}

Parameter output_features() {
    Parameter parameter = rows_parameter(512);
    parameter.description = "number of rows: output features of the layer";
    return parameter;
}

Parameter input_features() {
    Parameter parameter = cols_parameter(2048);
    parameter.description = "number of columns: input features of the layer";
    return parameter;
}

Parameter small_extent(std::string_view name, std::string_view description, double default_value) {
    return {.name = name,
            .description = description,
            .unit = "",
            .default_value = default_value,
            .minimum = 1,
            .maximum = 65'536};
}

} // namespace

Generator pruned_random_generator() {
    return {
        .name = "pruned-random",
        .title = "Pruned weights, unstructured",
        .description = "Magnitude pruning with one threshold for the layer; the spread of the weights "
                       "differs from row to row, so rows keep different numbers of them.",
        .source = "Han, Pool, Tran and Dally, Learning both weights and connections, 2015; Gale, Elsen and "
                  "Hooker, The state of sparsity in deep neural networks, 2019",
        .parameters = {output_features(),
                       input_features(),
                       share_parameter("sparsity", "share of the weights that are pruned", 0.9),
                       {.name = "row-spread",
                        .description = "standard deviation, over the rows, of the logarithm of the spread of "
                                       "a row's weights; 0: all rows alike",
                        .unit = "",
                        .default_value = 0.25,
                        .minimum = 0,
                        .maximum = 3,
                        .is_integer = false}},
        .build = build_pruned_random};
}

Generator pruned_n_m_generator() {
    return {.name = "pruned-n-m",
            .title = "Pruned weights, n:m",
            .description = "Random weights are kept: n of every m next to each other in a row.",
            .source = "Mishra et al., Accelerating sparse deep neural networks, 2021 (2:4)",
            .parameters = {output_features(), input_features(),
                           small_extent("n", "weights kept in a group", 2),
                           small_extent("m", "weights in a group; the last one of a row may be shorter", 4)},
            .build = build_pruned_n_m};
}

Generator pruned_block_generator() {
    return {.name = "pruned-block",
            .title = "Pruned weights, blocks",
            .description = "Whole blocks of a grid are pruned; those kept are dense and at random places.",
            .source = "Narang, Undersander and Diamos, Block-sparse recurrent neural networks, 2017; Gray, "
                      "Radford and Kingma, GPU kernels for block-sparse weights, 2017",
            .parameters = {output_features(), input_features(),
                           small_extent("block-rows", "rows of a block", 16),
                           small_extent("block-cols", "columns of a block", 16),
                           share_parameter("sparsity", "share of the blocks that are pruned", 0.9)},
            .build = build_pruned_block};
}

} // namespace sparsight
