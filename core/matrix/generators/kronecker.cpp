#include "matrix/generators/families.h"
#include "matrix/generators/recursive_edges.h"
#include "matrix/generators/row_builder.h"

#include <array>
#include <cmath>
#include <utility>

namespace sparsight {

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
