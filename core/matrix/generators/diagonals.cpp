#include "matrix/generators/families.h"
#include "matrix/generators/row_builder.h"
#include "matrix/generators/sampling.h"

#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// The main diagonal, and a share of the places of the diagonals `offsets` (column − row, not 0).
Result<CsrPattern> fill_diagonals(std::int64_t size, const std::vector<std::int64_t>& offsets, double fill,
                                  Random& random, const std::stop_token& stop) {
    const double entries = static_cast<double>(size) * (1 + fill * static_cast<double>(offsets.size()));
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    RowBuilder builder(size, size, entries, stop);
    std::int64_t next_diagonal = 0;
    const auto width = static_cast<std::uint64_t>(offsets.size());
    visit_share(random, static_cast<std::uint64_t>(size) * width, fill, stop, [&](std::uint64_t position) {
        const auto row = static_cast<std::int64_t>(position / width);
        for (; next_diagonal <= row; ++next_diagonal)
            builder.add(next_diagonal, next_diagonal);
        builder.add_if_inside(row, row + offsets[position % width]);
    });
    for (; next_diagonal < size; ++next_diagonal)
        builder.add(next_diagonal, next_diagonal);
    return builder.finish();
}

Parameter fill_parameter() {
    return share_parameter("fill", "share of the places off the main diagonal that hold an entry", 1);
}

Result<CsrPattern> build_banded(const Settings& settings, Random& random, const std::stop_token& stop) {
    const std::int64_t size = settings.integer("size");
    const std::int64_t lower = std::min(settings.integer("lower"), size - 1);
    const std::int64_t upper = std::min(settings.integer("upper"), size - 1);
    const double fill = settings.real("fill");
    const double entries = static_cast<double>(size) * (1 + fill * static_cast<double>(lower + upper));
    if (auto allowed = refuse_above_limits(static_cast<double>(size), entries); !allowed)
        return std::unexpected(allowed.error());
    std::vector<std::int64_t> offsets;
    for (std::int64_t offset = -lower; offset <= upper; ++offset)
        if (offset != 0)
            offsets.push_back(offset);
    return fill_diagonals(size, offsets, fill, random, stop);
}

Result<CsrPattern> build_multi_diagonal(const Settings& settings, Random& random,
                                        const std::stop_token& stop) {
    const std::int64_t size = settings.integer("size");
    const std::int64_t diagonals = settings.integer("diagonals");
    const std::int64_t reach = std::min(settings.integer("reach"), size - 1);
    if (diagonals > 2 * reach + 1)
        return fail(Fault::Input, fmt::format("{} diagonals do not fit within {} of the main diagonal, where "
                                              "there are {}",
                                              diagonals, reach, 2 * reach + 1));
    std::vector<std::uint64_t> sample;
    sample_sorted(random, static_cast<std::uint64_t>(2 * reach), static_cast<std::uint64_t>(diagonals - 1),
                  sample, stop);
    std::vector<std::int64_t> offsets;
    for (const std::uint64_t place : sample) {
        const std::int64_t offset = static_cast<std::int64_t>(place) - reach;
        offsets.push_back(offset < 0 ? offset : offset + 1);
    }
    return fill_diagonals(size, offsets, settings.real("fill"), random, stop);
}

} // namespace

Generator banded_generator() {
    return {.name = "banded",
            .title = "Banded",
            .description = "The main diagonal is full; the diagonals beside it are filled to a share.",
            .source = "Golub and Van Loan, Matrix Computations, section 1.2; what a bandwidth-reducing order "
                      "(Cuthill and McKee 1969) leaves of a mesh",
            .parameters = {size_parameter(4096),
                           {.name = "lower",
                            .description = "diagonals below the main one",
                            .unit = "diagonals",
                            .default_value = 8,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           {.name = "upper",
                            .description = "diagonals above the main one",
                            .unit = "diagonals",
                            .default_value = 8,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           fill_parameter()},
            .build = build_banded};
}

Generator multi_diagonal_generator() {
    return {.name = "multi-diagonal",
            .title = "Multi-diagonal",
            .description = "The main diagonal is full; a few others at random offsets are filled to a share.",
            .source = "Saad, Iterative Methods for Sparse Linear Systems, 2003, section 3.4 (the diagonal "
                      "format's matrices)",
            .parameters = {size_parameter(4096),
                           {.name = "diagonals",
                            .description = "how many diagonals, the main one counted",
                            .unit = "diagonals",
                            .default_value = 7,
                            .minimum = 1,
                            .maximum = 1'000'000},
                           {.name = "reach",
                            .description = "how far from the main diagonal they may lie",
                            .unit = "diagonals",
                            .default_value = 1024,
                            .minimum = 0,
                            .maximum = max_generated_rows},
                           fill_parameter()},
            .build = build_multi_diagonal};
}

} // namespace sparsight
