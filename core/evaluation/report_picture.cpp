#include "evaluation/report_picture.h"

#include "matrix/density_image.h"

#include <algorithm>

namespace sparsight {

namespace {

constexpr std::int64_t picture_pixels = 320; ///< of the longer side

} // namespace

/// At least two pixels a row for small matrices, and never more cells than rows or columns.
Result<std::vector<std::byte>> report_picture(const CsrPattern& pattern, int threads) {
    if (pattern.rows == 0 || pattern.cols == 0)
        return std::vector<std::byte>{};
    const std::int64_t longer = std::max(pattern.rows, pattern.cols);
    const auto side = [&](std::int64_t extent) {
        return std::max<std::int64_t>(1, extent * picture_pixels / longer);
    };
    const DensityGrid grid = overview(pattern, std::min(side(pattern.cols), pattern.cols),
                                      std::min(side(pattern.rows), pattern.rows), threads);
    const auto width = static_cast<int>(std::max(side(pattern.cols), grid.width()));
    const auto height = static_cast<int>(std::max(side(pattern.rows), grid.height()));
    return density_png(grid, width, height);
}

} // namespace sparsight
