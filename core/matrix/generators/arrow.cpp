#include "matrix/generators/families.h"
#include "matrix/generators/row_builder.h"

#include <algorithm>

namespace sparsight {

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
