// A picture of a pattern for reports: white where there is nothing, dark where it is dense.
#pragma once

#include "base/error.h"
#include "matrix/density_grid.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sparsight {

struct Colour {
    std::uint8_t red = 0;
    std::uint8_t green = 0;
    std::uint8_t blue = 0;
    bool operator==(const Colour&) const = default;
};

/// From a light blue (0: as good as empty) to nearly black (1: the densest cell), lightness falling evenly,
/// so that the order is seen, also in grey and by colour-blind people. White is kept for cells without
/// entries.
[[nodiscard]] Colour density_colour(double darkness);

/// How dark each cell is drawn, row by row: 0 for no entry; otherwise log(1 + d) / log(1 + d_max), where d is
/// the number of entries over the cell's area, in units of the sparsest cell that holds any.
[[nodiscard]] std::vector<double> density_darkness(const DensityGrid& grid);

/// A PNG of width × height pixels; a grid with fewer cells is enlarged without smoothing, so single entries
/// stay crisp squares. Errors: Input for sizes outside 1 … 16384 or below the grid's, Internal when libpng
/// fails.
[[nodiscard]] Result<std::vector<std::byte>> density_png(const DensityGrid& grid, int width, int height);

} // namespace sparsight
