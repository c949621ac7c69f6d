#include "domains/sparse/tensor/generators/families.h"
#include "domains/sparse/tensor/generators/row_builder.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

Result<CsrPattern> build_uniform(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const double density = settings.real("density");
    const double entries = density * static_cast<double>(rows) * static_cast<double>(cols);
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(rows, cols, entries, stop);
    const auto width = static_cast<std::uint64_t>(cols);
    visit_share(random, static_cast<std::uint64_t>(rows) * width, density, stop, [&](std::uint64_t position) {
        builder.add(static_cast<std::int64_t>(position / width), static_cast<std::int64_t>(position % width));
    });
    return builder.finish();
}

} // namespace

Generator uniform_generator() {
    return {.name = "uniform",
            .title = "Uniform random",
            .description = "Exactly density · rows · cols entries, every set of places equally likely.",
            .source = "Erdős and Rényi, On random graphs I, 1959 (the model G(n, M))",
            .parameters = {rows_parameter(4096), cols_parameter(4096),
                           share_parameter("density", "share of the places that hold an entry", 0.005)},
            .build = build_uniform};
}

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

namespace {

Result<CsrPattern> build_hyper_sparse(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t rows = settings.integer("rows");
    const std::int64_t cols = settings.integer("cols");
    const std::int64_t longest = std::min(settings.integer("longest-row"), cols);
    const double share = settings.real("occupied-rows");
    const double entries = share * static_cast<double>(rows) * (1 + static_cast<double>(longest)) / 2;
    if (auto allowed = refuse_above_limits(static_cast<double>(rows), entries); !allowed)
        return std::unexpected(allowed.error());
    std::vector<std::int64_t> lengths(static_cast<std::size_t>(rows));
    visit_share(random, static_cast<std::uint64_t>(rows), share, stop,
                [&](std::uint64_t row) { lengths[row] = random.between(1, longest); });
    return fill_rows(lengths, cols, random, stop);
}

} // namespace

Generator hyper_sparse_generator() {
    return {.name = "hyper-sparse",
            .title = "Hyper-sparse",
            .description = "Most rows are empty; the others, at random places, have one to a few entries.",
            .source = "Buluç and Gilbert, On the representation and multiplication of hypersparse matrices, "
                      "2008",
            .parameters = {rows_parameter(65'536),
                           cols_parameter(65'536),
                           share_parameter("occupied-rows", "share of the rows that are not empty", 0.05),
                           {.name = "longest-row",
                            .description = "lengths of those rows are uniform from 1 to this",
                            .unit = "entries",
                            .default_value = 3,
                            .minimum = 1,
                            .maximum = max_extent}},
            .build = build_hyper_sparse};
}

} // namespace sparsight
