#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// The main diagonal, and a share of the places of the diagonals `offsets` (column − row, not 0).
Result<CsrPattern> fill_diagonals(std::int64_t size, const std::vector<std::int64_t>& offsets, double fill,
                                  Random& random, const std::stop_token& stop) {
    const double entries = static_cast<double>(size) * (1 + fill * static_cast<double>(offsets.size()));
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(size, size, entries, stop);
    std::int64_t next_diagonal = 0;
    const auto width = static_cast<std::uint64_t>(offsets.size());
    visit_share(random, static_cast<std::uint64_t>(size) * width, fill, stop, [&](std::uint64_t position) {
        const auto row = static_cast<std::int64_t>(position / width);
        for (; next_diagonal <= row; ++next_diagonal)
            builder.add(next_diagonal, next_diagonal);
        builder.add_if_inside(row, row + offsets[position % width]);
    });
    for (; next_diagonal < size; ++next_diagonal)
        builder.add(next_diagonal, next_diagonal);
    return builder.finish();
}

Parameter fill_parameter() {
    return share_parameter("fill", "share of the places off the main diagonal that hold an entry", 1);
}

Result<CsrPattern> build_banded(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t size = settings.integer("size");
    const std::int64_t lower = std::min(settings.integer("lower"), size - 1);
    const std::int64_t upper = std::min(settings.integer("upper"), size - 1);
    const double fill = settings.real("fill");
    const double entries = static_cast<double>(size) * (1 + fill * static_cast<double>(lower + upper));
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = -lower; offset <= upper; ++offset)
        if (offset != 0)
            offsets.push_back(offset);
    return fill_diagonals(size, offsets, fill, random, stop);
}

Result<CsrPattern> build_multi_diagonal(const Settings& settings, Random& random,
                                        const std::stop_token& stop) {
    const std::int64_t size = settings.integer("size");
    const std::int64_t diagonals = settings.integer("diagonals");
    const std::int64_t reach = std::min(settings.integer("reach"), size - 1);
    if (diagonals > 2 * reach + 1)
        return fail(Fault::Input, fmt::format("{} diagonals do not fit within {} of the main diagonal, where "
                                              "there are {}",
                                              diagonals, reach, 2 * reach + 1));
    std::vector<std::uint64_t> sample;
    sample_sorted(random, static_cast<std::uint64_t>(2 * reach), static_cast<std::uint64_t>(diagonals - 1),
                  sample, stop);
    std::vector<std::int64_t> offsets;
    for (const std::uint64_t place : sample) {
        const std::int64_t offset = static_cast<std::int64_t>(place) - reach;
        offsets.push_back(offset < 0 ? offset : offset + 1);
    }
    return fill_diagonals(size, offsets, settings.real("fill"), random, stop);
}

} // namespace

Generator banded_generator() {
    return {.name = "banded",
            .title = "Banded",
            .description = "The main diagonal is full; the diagonals beside it are filled to a share.",
            .source = "Golub and Van Loan, Matrix Computations, section 1.2; what a bandwidth-reducing order "
                      "(Cuthill and McKee 1969) leaves of a mesh",
            .parameters = {size_parameter(4096),
                           {.name = "lower",
                            .description = "diagonals below the main one",
                            .unit = "diagonals",
                            .default_value = 8,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           {.name = "upper",
                            .description = "diagonals above the main one",
                            .unit = "diagonals",
                            .default_value = 8,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           fill_parameter()},
            .build = build_banded};
}

Generator multi_diagonal_generator() {
    return {.name = "multi-diagonal",
            .title = "Multi-diagonal",
            .description = "The main diagonal is full; a few others at random offsets are filled to a share.",
            .source = "Saad, Iterative Methods for Sparse Linear Systems, 2003, section 3.4 (the diagonal "
                      "format's matrices)",
            .parameters = {size_parameter(4096),
                           {.name = "diagonals",
                            .description = "how many diagonals, the main one counted",
                            .unit = "diagonals",
                            .default_value = 7,
                            .minimum = 1,
                            .maximum = 1'000'000},
                           {.name = "reach",
                            .description = "how far from the main diagonal they may lie",
                            .unit = "diagonals",
                            .default_value = 1024,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           fill_parameter()},
            .build = build_multi_diagonal};
}

namespace {

struct Grid {
    std::int64_t x = 1;
    std::int64_t y = 1;
    std::int64_t z = 1;
};

/// One row a grid point, numbered with x fastest. A star joins the neighbours along the axes, a box the
/// diagonal ones too; there are none beyond the border.
Result<CsrPattern> join_neighbours(const Grid& grid, bool box, double points, const std::stop_token& stop) {
    const double rows =
        static_cast<double>(grid.x) * static_cast<double>(grid.y) * static_cast<double>(grid.z);
    if (auto allowed = refuse_above_limits(rows, rows * points); !allowed)
        return std::unexpected(allowed.error());
    const std::int64_t size = grid.x * grid.y * grid.z;
    RowBuilder builder(size, size, rows * points, stop);
    std::int64_t row = 0;
    for (std::int64_t z = 0; z < grid.z; ++z)
        for (std::int64_t y = 0; y < grid.y; ++y)
            for (std::int64_t x = 0; x < grid.x; ++x, ++row)
                for (std::int64_t dz = z > 0 ? -1 : 0; dz <= (z + 1 < grid.z ? 1 : 0); ++dz)
                    for (std::int64_t dy = y > 0 ? -1 : 0; dy <= (y + 1 < grid.y ? 1 : 0); ++dy)
                        for (std::int64_t dx = x > 0 ? -1 : 0; dx <= (x + 1 < grid.x ? 1 : 0); ++dx)
                            if (box || std::abs(dx) + std::abs(dy) + std::abs(dz) <= 1)
                                builder.add(row, row + (dz * grid.y + dy) * grid.x + dx);
    return builder.finish();
}

Result<CsrPattern> build_stencil_2d(const Settings& settings, Random&, const std::stop_token& stop) {
    const double points = settings.real("points");
    return join_neighbours({settings.integer("x"), settings.integer("y"), 1}, points == 9, points, stop);
}

Result<CsrPattern> build_stencil_3d(const Settings& settings, Random&, const std::stop_token& stop) {
    const double points = settings.real("points");
    return join_neighbours({settings.integer("x"), settings.integer("y"), settings.integer("z")},
                           points == 27, points, stop);
}

Parameter extent_parameter(std::string_view axis, std::string_view description, double default_value) {
    return {.name = axis,
            .description = description,
            .unit = "grid points",
            .default_value = default_value,
            .minimum = 1,
            .maximum = max_generated_rows};
}

} // namespace

Generator stencil_2d_generator() {
    return {.name = "stencil-2d",
            .title = "2-D stencil",
            .description = "A regular plane grid; every point is joined to itself and its neighbours.",
            .source = "Saad, Iterative Methods for Sparse Linear Systems, 2003, section 2.2 (finite "
                      "differences)",
            .parameters = {extent_parameter("x", "points along x, numbered first", 64),
                           extent_parameter("y", "points along y", 64),
                           {.name = "points",
                            .description = "5: neighbours along the axes; 9: diagonal ones too",
                            .unit = "",
                            .default_value = 5,
                            .minimum = 5,
                            .maximum = 9,
                            .choices = {5, 9}}},
            .build = build_stencil_2d};
}

Generator stencil_3d_generator() {
    return {.name = "stencil-3d",
            .title = "3-D stencil",
            .description = "A regular space grid; every point is joined to itself and its neighbours.",
            .source = "Dongarra, Heroux and Luszczek, HPCG, 2016 (27 points); Saad 2003, section 2.2 (7 "
                      "points)",
            .parameters = {extent_parameter("x", "points along x, numbered first", 16),
                           extent_parameter("y", "points along y", 16),
                           extent_parameter("z", "points along z", 16),
                           {.name = "points",
                            .description = "7: neighbours along the axes; 27: diagonal ones too",
                            .unit = "",
                            .default_value = 7,
                            .minimum = 7,
                            .maximum = 27,
                            .choices = {7, 27}}},
            .build = build_stencil_3d};
}

namespace {

Result<CsrPattern> build_arrow(const Settings& settings, Random&, const std::stop_token& stop) {
    const std::int64_t size = settings.integer("size");
    const std::int64_t head = std::min(settings.integer("head"), size);
    const std::int64_t band = std::min(settings.integer("band"), size - 1);
    const double entries = static_cast<double>(size) * static_cast<double>(2 * head + 2 * band + 1);
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(size, size, entries, stop);
    for (std::int64_t row = 0; row < size; ++row) {
        if (row < head) {
            builder.add_range(row, 0, size);
            continue;
        }
        builder.add_range(row, 0, head);
        builder.add_range(row, std::max(head, row - band), row + band + 1);
    }
    return builder.finish();
}

} // namespace

Generator arrow_generator() {
    return {.name = "arrow",
            .title = "Arrow",
            .description = "Dense first rows and columns, and a band along the diagonal.",
            .source =
                "O'Leary and Stewart, Computing the eigenvalues and eigenvectors of symmetric arrowhead "
                "matrices, 1990",
            .parameters = {size_parameter(4096),
                           {.name = "head",
                            .description = "dense rows on top, and dense columns on the left",
                            .unit = "rows",
                            .default_value = 8,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           {.name = "band",
                            .description = "diagonals on each side of the main one",
                            .unit = "diagonals",
                            .default_value = 0,
                            .minimum = 0,
                            .maximum = max_generated_rows}},
            .build = build_arrow};
}

} // namespace sparsight
