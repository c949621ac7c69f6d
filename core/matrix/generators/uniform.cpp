#include "matrix/generators/families.h"
#include "matrix/generators/row_builder.h"
#include "matrix/generators/sampling.h"

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

} // namespace sparsight
