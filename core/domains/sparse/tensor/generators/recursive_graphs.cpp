#include "domains/sparse/tensor/generators/recursive_graphs.h"

#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace sparsight {

namespace {

constexpr std::size_t edges_at_once = 1 << 16; ///< between two looks whether it was stopped

} // namespace

CooPattern place_edges(const QuadrantWeights& weights, int levels, std::int64_t edges, Random& random,
                       const std::stop_token& stop) {
    // Each level uses 32 random bits: a draw below `first` is upper left, below `second` upper right, …
    const double total = weights.upper_left + weights.upper_right + weights.lower_left + weights.lower_right;
    const auto threshold = [&](double weight) {
        return static_cast<std::uint64_t>(std::llround(weight / total * 0x1p32));
    };
    const std::uint64_t first = threshold(weights.upper_left);
    const std::uint64_t second = threshold(weights.upper_left + weights.upper_right);
    const std::uint64_t third = threshold(total - weights.lower_right);

    CooPattern result;
    result.rows = result.cols = std::int64_t{1} << levels;
    result.row_ids.resize(static_cast<std::size_t>(edges));
    result.column_ids.resize(static_cast<std::size_t>(edges));
    for (std::size_t edge = 0; edge < static_cast<std::size_t>(edges); ++edge) {
        if (edge % edges_at_once == 0)
            throw_if_stopped(stop);
        std::uint32_t row = 0;
        std::uint32_t col = 0;
        std::uint64_t bits = 0;
        for (int level = 0; level < levels; ++level) {
            bits = level % 2 == 0 ? random() : bits >> 32;
            const std::uint64_t draw = bits & 0xffffffffU;
            // Branch-free: the processor cannot predict these.
            const std::uint32_t quadrant = static_cast<std::uint32_t>(draw >= first) +
                                           static_cast<std::uint32_t>(draw >= second) +
                                           static_cast<std::uint32_t>(draw >= third);
            row = row << 1 | quadrant >> 1;
            col = col << 1 | (quadrant & 1);
        }
        result.row_ids[edge] = static_cast<std::int32_t>(row);
        result.column_ids[edge] = static_cast<std::int32_t>(col);
    }
    return result;
}

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

namespace {

using Initiator = std::array<std::array<double, 2>, 2>;

/// The exact Kronecker power of the 0/1 initiator: a row's columns grow bit by bit, from the highest.
Result<CsrPattern> build_deterministic(const Initiator& initiator, int power, const std::stop_token& stop) {
    std::array<std::array<bool, 2>, 2> present{};
    double ones = 0;
    for (std::size_t row = 0; row < 2; ++row)
        for (std::size_t col = 0; col < 2; ++col) {
            present[row][col] = initiator[row][col] >= 0.5;
            ones += present[row][col] ? 1 : 0;
        }
    const std::int64_t size = std::int64_t{1} << power;
    const double entries = std::pow(ones, power);
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(size, size, entries, stop);
    std::vector<std::int64_t> columns;
    std::vector<std::int64_t> longer;
    for (std::int64_t row = 0; row < size; ++row) {
        columns.assign(1, 0);
        for (int level = power - 1; level >= 0; --level) {
            const std::array<bool, 2>& of_row = present[static_cast<std::size_t>(row >> level & 1)];
            longer.clear();
            for (const std::int64_t column : columns)
                for (const int bit : {0, 1})
                    if (of_row[static_cast<std::size_t>(bit)])
                        longer.push_back(2 * column + bit);
            columns.swap(longer);
        }
        for (const std::int64_t column : columns)
            builder.add(row, column);
    }
    return builder.finish();
}

/// Leskovec et al. 2010, section 3.6: as many edges as the model expects, each placed by recursive descent.
Result<CsrPattern> build_stochastic(const Initiator& initiator, int power, Random& random,
                                    const std::stop_token& stop) {
    const QuadrantWeights weights{initiator[0][0], initiator[0][1], initiator[1][0], initiator[1][1]};
    const double sum = weights.upper_left + weights.upper_right + weights.lower_left + weights.lower_right;
    const double edges = std::round(std::pow(sum, power));
    const double rows = static_cast<double>(std::int64_t{1} << power);
    if (auto allowed = refuse_above_limits(rows, edges); !allowed)
        return std::unexpected(allowed.error());
    const std::int64_t count = sum > 0 ? static_cast<std::int64_t>(edges) : 0;
    return compress(place_edges(weights, power, count, random, stop), 1).pattern;
}

Result<CsrPattern> build_kronecker(const Settings& settings, Random& random, const std::stop_token& stop) {
    const Initiator initiator{
        {{settings.real("p11"), settings.real("p12")}, {settings.real("p21"), settings.real("p22")}}};
    const auto power = static_cast<int>(settings.integer("power"));
    return settings.flag("deterministic") ? build_deterministic(initiator, power, stop)
                                          : build_stochastic(initiator, power, random, stop);
}

} // namespace

Generator kronecker_generator() {
    return {.name = "kronecker",
            .title = "Kronecker",
            .description =
                "The Kronecker power of a 2 × 2 initiator. Stochastic: the expected number of edges "
                "is placed at random, repeated places are merged. Deterministic: initiator cells "
                "of 0.5 and more are ones, and the power is exact.",
            .source = "Leskovec, Chakrabarti, Kleinberg, Faloutsos and Ghahramani, Kronecker graphs, 2010 "
                      "(default: their fit of AS-RouteViews)",
            .parameters = {{.name = "power",
                            .description = "the matrix has 2^power rows and columns",
                            .unit = "",
                            .default_value = 13,
                            .minimum = 0,
                            .maximum = 26},
                           share_parameter("p11", "initiator, upper left", 0.987),
                           share_parameter("p12", "initiator, upper right", 0.571),
                           share_parameter("p21", "initiator, lower left", 0.571),
                           share_parameter("p22", "initiator, lower right", 0.049),
                           switch_parameter("deterministic",
                                            "1: the exact power of the thresholded initiator", false)},
            .build = build_kronecker};
}

} // namespace sparsight
