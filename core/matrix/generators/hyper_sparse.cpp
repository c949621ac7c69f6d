#include "matrix/generators/families.h"
#include "matrix/generators/row_lengths.h"
#include "matrix/generators/sampling.h"

#include <algorithm>
#include <cmath>

namespace sparsight {

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
