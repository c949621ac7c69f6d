#include "matrix/generators/families.h"
#include "matrix/generators/row_builder.h"

#include <algorithm>
#include <cstdlib>

namespace sparsight {

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

} // namespace sparsight
