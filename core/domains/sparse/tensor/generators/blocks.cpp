#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

Result<CsrPattern> build_block_diagonal(const Settings& settings, Random& random,
                                        const std::stop_token& stop) {
    const std::int64_t size = settings.integer("size");
    const std::int64_t smallest = settings.integer("smallest-block");
    const std::int64_t largest = settings.integer("largest-block");
    const double fill = settings.real("fill");
    if (smallest > largest)
        return fail(Fault::Input,
                    fmt::format("smallest-block is {} but largest-block is {}", smallest, largest));
    std::vector<std::int64_t> blocks;
    double entries = 0;
    for (std::int64_t begin = 0; begin < size; begin += blocks.back()) {
        blocks.push_back(std::min(random.between(smallest, largest), size - begin));
        entries += fill * static_cast<double>(blocks.back()) * static_cast<double>(blocks.back());
    }
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(size, size, entries, stop);
    std::int64_t begin = 0;
    for (const std::int64_t block : blocks) {
        const auto width = static_cast<std::uint64_t>(block);
        visit_share(random, width * width, fill, stop, [&](std::uint64_t position) {
            builder.add(begin + static_cast<std::int64_t>(position / width),
                        begin + static_cast<std::int64_t>(position % width));
        });
        begin += block;
    }
    return builder.finish();
}

struct Corner {
    std::int64_t row = 0;
    std::int64_t col = 0;
};

/// Aligned blocks are different cells of a grid; free ones may overlap.
std::vector<Corner> place_blocks(std::int64_t rows, std::int64_t cols, std::int64_t block, std::int64_t count,
                                 bool aligned, Random& random, const std::stop_token& stop) {
    std::vector<Corner> corners;
    if (aligned) {
        const auto across = static_cast<std::uint64_t>(cols / block);
        std::vector<std::uint64_t> cells;
        sample_sorted(random, static_cast<std::uint64_t>(rows / block) * across,
                      static_cast<std::uint64_t>(count), cells, stop);
        for (const std::uint64_t cell : cells)
            corners.push_back({static_cast<std::int64_t>(cell / across) * block,
                               static_cast<std::int64_t>(cell % across) * block});
        return corners;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t row = random.between(0, rows - block);
        corners.push_back({row, random.between(0, cols - block)});
    }
    return corners;
}

Result<CsrPattern> build_scattered_blocks(const Settings& settings, Random& random,
                                          const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const std::int64_t block = settings.integer("block");
    const std::int64_t count = settings.integer("blocks");
    const bool aligned = settings.flag("aligned");
    if (block > rows || block > cols)
        return fail(Fault::Input,
                    fmt::format("a block of {} rows and columns does not fit a matrix of {} × {}", block,
                                rows, cols));
    if (aligned && count > (rows / block) * (cols / block))
        return fail(Fault::Input, fmt::format("{} aligned blocks do not fit; there are {} places", count,
                                              (rows / block) * (cols / block)));
    const auto area = static_cast<std::uint64_t>(block) * static_cast<std::uint64_t>(block);
    const double fill = settings.real("fill");
    const double entries = static_cast<double>(count) * static_cast<double>(area) * fill;
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    CooPattern coordinates;
    coordinates.rows = rows;
    coordinates.cols = cols;
    coordinates.row_ids.reserve(static_cast<std::size_t>(entries));
    coordinates.column_ids.reserve(static_cast<std::size_t>(entries));
    for (const Corner& corner : place_blocks(rows, cols, block, count, aligned, random, stop)) {
        throw_if_stopped(stop);
        visit_share(random, area, fill, stop, [&](std::uint64_t position) {
            const auto place = static_cast<std::int64_t>(position);
            coordinates.row_ids.push_back(static_cast<std::int32_t>(corner.row + place / block));
            coordinates.column_ids.push_back(static_cast<std::int32_t>(corner.col + place % block));
        });
    }
    return compress(std::move(coordinates), 1).pattern;
}

} // namespace

Generator block_diagonal_generator() {
    return {.name = "block-diagonal",
            .title = "Block diagonal",
            .description = "Blocks of random sizes along the diagonal, each filled to a share.",
            .source = "Fey and Lenssen, Fast graph representation learning with PyTorch Geometric, 2019 (a "
                      "batch of small graphs is one block-diagonal adjacency matrix)",
            .parameters = {size_parameter(4096),
                           {.name = "smallest-block",
                            .description = "size of the smallest blocks",
                            .unit = "rows",
                            .default_value = 8,
                            .minimum = 1,
                            .maximum = 100'000},
                           {.name = "largest-block",
                            .description = "size of the largest blocks",
                            .unit = "rows",
                            .default_value = 32,
                            .minimum = 1,
                            .maximum = 100'000},
                           share_parameter("fill", "share of a block's places that hold an entry", 1)},
            .build = build_block_diagonal};
}

Generator scattered_blocks_generator() {
    return {
        .name = "scattered-blocks",
        .title = "Dense blocks at random places",
        .description = "Square blocks at random places; where free ones overlap, entries are merged.",
        .source = "Im, Yelick and Vuduc, SPARSITY: optimization framework for sparse matrix kernels, 2004 "
                  "(register blocks of finite-element matrices)",
        .parameters = {rows_parameter(4096),
                       cols_parameter(4096),
                       {.name = "block",
                        .description = "rows, and columns, of a block",
                        .unit = "rows",
                        .default_value = 16,
                        .minimum = 1,
                        .maximum = 16'384},
                       {.name = "blocks",
                        .description = "how many blocks",
                        .unit = "blocks",
                        .default_value = 256,
                        .minimum = 0,
                        .maximum = max_generated_entries},
                       share_parameter("fill", "share of a block's places that hold an entry", 1),
                       switch_parameter("aligned",
                                        "1: corners at multiples of the block size, no overlap; 0: anywhere",
                                        true)},
        .build = build_scattered_blocks};
}

} // namespace sparsight
