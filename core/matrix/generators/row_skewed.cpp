#include "matrix/generators/families.h"
#include "matrix/generators/row_lengths.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// Lengths proportional to rank^-exponent with the given sum, none longer than `cols`: the first ranks are
/// cut to `cols`, and what they lose is spread over the others in proportion.
std::vector<double> zipf_lengths(std::int64_t rows, std::int64_t cols, double entries, double exponent) {
    std::vector<double> lengths(static_cast<std::size_t>(rows));
    double remaining_weight = 0;
    for (std::int64_t rank = rows; rank >= 1; --rank) {
        double& length = lengths[static_cast<std::size_t>(rank - 1)];
        length = std::pow(static_cast<double>(rank), -exponent);
        remaining_weight += length;
    }
    double remaining = entries;
    const auto longest = static_cast<double>(cols);
    std::size_t cut = 0;
    while (cut < lengths.size() && remaining * lengths[cut] > longest * remaining_weight) {
        remaining -= longest;
        remaining_weight -= lengths[cut];
        lengths[cut++] = longest;
    }
    for (std::size_t rank = cut; rank < lengths.size(); ++rank)
        lengths[rank] = std::min(longest, lengths[rank] * (remaining / remaining_weight));
    return lengths;
}

Result<CsrPattern> build_row_skewed(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const double mean = settings.real("mean-length");
    if (mean > static_cast<double>(cols))
        return fail(Fault::Input, fmt::format("mean-length is {} but a row has only {} places", mean, cols));
    const double entries = mean * static_cast<double>(rows);
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    std::vector<std::int64_t> lengths =
        round_keeping_sum(zipf_lengths(rows, cols, entries, settings.real("exponent")));
    if (settings.flag("shuffle"))
        random.shuffle(lengths);
    return fill_rows(lengths, cols, random, stop);
}

} // namespace

Generator row_skewed_generator() {
    return {.name = "row-skewed",
            .title = "Skewed rows (Zipf)",
            .description = "The k-th longest row is proportional to k^-exponent (cut at the number of "
                           "columns); columns are uniform.",
            .source =
                "Zipf, Human Behavior and the Principle of Least Effort, 1949; Newman, Power laws, Pareto "
                "distributions and Zipf's law, 2005",
            .parameters = {rows_parameter(4096),
                           cols_parameter(4096),
                           {.name = "mean-length",
                            .description = "entries a row, on average",
                            .unit = "entries",
                            .default_value = 16,
                            .minimum = 0,
                            .maximum = max_extent,
                            .is_integer = false},
                           {.name = "exponent",
                            .description = "0: all rows alike; 1: Zipf's law; more: steeper",
                            .unit = "",
                            .default_value = 1,
                            .minimum = 0,
                            .maximum = 8,
                            .is_integer = false},
                           switch_parameter("shuffle", "1: long rows anywhere; 0: the longest on top", true)},
            .build = build_row_skewed};
}

} // namespace sparsight
