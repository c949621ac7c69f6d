#include "matrix/generators/families.h"
#include "matrix/generators/recursive_edges.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

/// Renumbers rows and columns alike, as Graph500 does, so that heavy rows are not all at the top.
void relabel(CooPattern& coordinates, Random& random) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(coordinates.rows));
    std::iota(labels.begin(), labels.end(), 0);
    random.shuffle(labels);
    for (std::int32_t& row : coordinates.row_ids)
        row = labels[static_cast<std::size_t>(row)];
    for (std::int32_t& col : coordinates.column_ids)
        col = labels[static_cast<std::size_t>(col)];
}

Result<CsrPattern> build_power_law(const Settings& settings, Random& random, const std::stop_token& stop) {
    const auto scale = static_cast<int>(settings.integer("scale"));
    const double a = settings.real("a");
    const double b = settings.real("b");
    const double c = settings.real("c");
    // Sums of decimal shares miss 1 by a rounding error.
    if (a + b + c > 1 + 1e-9)
        return fail(Fault::Input, fmt::format("a + b + c is {}; it must not exceed 1", a + b + c));
    const double rows = static_cast<double>(std::int64_t{1} << scale);
    const double edges = rows * settings.real("edge-factor");
    if (auto allowed = refuse_above_limits(rows, edges); !allowed)
        return std::unexpected(allowed.error());
    const QuadrantWeights weights{a, b, c, std::max(0.0, 1 - a - b - c)};
    CooPattern coordinates = place_edges(weights, scale, static_cast<std::int64_t>(edges), random, stop);
    if (settings.flag("shuffle"))
        relabel(coordinates, random);
    return compress(std::move(coordinates), 1).pattern;
}

} // namespace

Generator power_law_generator() {
    return {.name = "power-law",
            .title = "Power law (R-MAT)",
            .description = "edge-factor · 2^scale edges are dropped into recursively chosen quadrants; edges "
                           "that fall on the same place are merged, so there are fewer entries.",
            .source = "Chakrabarti, Zhan and Faloutsos, R-MAT: a recursive model for graph mining, 2004; "
                      "defaults of Graph500",
            .parameters = {{.name = "scale",
                            .description = "the matrix has 2^scale rows and columns",
                            .unit = "",
                            .default_value = 12,
                            .minimum = 0,
                            .maximum = 26},
                           {.name = "edge-factor",
                            .description = "edges a row, before merging",
                            .unit = "edges",
                            .default_value = 16,
                            .minimum = 0,
                            .maximum = 65'536,
                            .is_integer = false},
                           share_parameter("a", "probability of the upper left quadrant", 0.57),
                           share_parameter("b", "probability of the upper right quadrant", 0.19),
                           share_parameter("c",
                                           "probability of the lower left quadrant; the lower right one "
                                           "has the rest",
                                           0.19),
                           switch_parameter("shuffle", "1: renumber the vertices at random", false)},
            .build = build_power_law};
}

} // namespace sparsight
