#include "kernel_cases.h"

#include <Eigen/SparseCore>
#include <cmath>
#include <fmt/format.h>

namespace sparsight::testing {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;

FloatBuffer random_floats(std::int64_t count, Random& random) {
    FloatBuffer values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>(2 * random.uniform() - 1);
    return values;
}

RowMajor to_eigen(const FloatBuffer& values, std::int64_t rows, std::int64_t cols) {
    RowMajor matrix(rows, cols);
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t col = 0; col < cols; ++col)
            matrix(row, col) = static_cast<double>(values[static_cast<std::size_t>(row * cols + col)]);
    return matrix;
}

Sparse to_eigen(const CsrPattern& pattern) {
    std::vector<Eigen::Triplet<double, std::int64_t>> triplets;
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
             e < static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]); ++e)
            triplets.emplace_back(row, pattern.column_ids[e], static_cast<double>(pattern.values[e]));
    Sparse matrix(pattern.rows, pattern.cols);
    matrix.setFromTriplets(triplets.begin(), triplets.end());
    return matrix;
}

std::vector<double> elements(const RowMajor& matrix) {
    return {matrix.data(), matrix.data() + matrix.size()};
}

} // namespace

CsrPattern random_pattern(std::int64_t rows, std::int64_t cols, double density, Random& random) {
    CsrPattern pattern;
    pattern.rows = rows;
    pattern.cols = cols;
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t col = 0; col < cols; ++col) {
            if (!random.chance(density))
                continue;
            pattern.column_ids.push_back(static_cast<std::int32_t>(col));
            pattern.values.push_back(static_cast<float>(2 * random.uniform() - 1));
        }
        pattern.row_pointers.push_back(pattern.nnz());
    }
    return pattern;
}

std::vector<NamedPattern> awkward_patterns() {
    Random random(11);
    std::vector<NamedPattern> patterns{
        {"no rows 0x7", random_pattern(0, 7, 1, random)},
        {"no columns 5x0", random_pattern(5, 0, 1, random)},
        {"empty 5x7", random_pattern(5, 7, 0, random)},
        {"1x1 empty", random_pattern(1, 1, 0, random)},
        {"1x1 full", random_pattern(1, 1, 1, random)},
        {"one row", random_pattern(1, 37, 0.4, random)},
        {"one column", random_pattern(41, 1, 0.4, random)},
        {"full 9x5", random_pattern(9, 5, 1, random)},
        {"odd 13x29", random_pattern(13, 29, 0.2, random)},
        {"tall 67x6", random_pattern(67, 6, 0.3, random)},
        {"wide 6x71", random_pattern(6, 71, 0.3, random)},
        {"even 32x64", random_pattern(32, 64, 0.1, random)},
        {"nearly empty 50x50", random_pattern(50, 50, 0.005, random)},
        {"dense block 48x48", random_pattern(48, 48, 0.7, random)},
    };
    CsrPattern last_row_only = random_pattern(1, 20, 0.5, random);
    last_row_only.rows = 17;
    last_row_only.row_pointers.insert(last_row_only.row_pointers.begin(), 16, 0);
    patterns.push_back({"only the last row", last_row_only});
    return patterns;
}

SuperSchedule random_schedule(Operator op, Random& random) {
    SuperSchedule schedule(op);
    static constexpr std::array<std::int64_t, 11> splits{1, 1, 2, 3, 4, 5, 8, 16, 32, 64, 100};
    std::vector<LoopIndex> order;
    for (const Index index : indices(op)) {
        schedule.splits[static_cast<std::size_t>(index)] = random.pick(std::span<const std::int64_t>(splits));
        order.push_back({index, Part::Outer});
        order.push_back({index, Part::Inner});
    }
    random.shuffle(order);
    for (const Index index : indices(op)) {
        const auto outer = std::ranges::find(order, LoopIndex{index, Part::Outer});
        const auto inner = std::ranges::find(order, LoopIndex{index, Part::Inner});
        if (inner < outer)
            std::iter_swap(inner, outer);
    }
    std::ranges::copy(order, schedule.order.begin());
    for (LevelFormat& format : schedule.formats)
        format = random.chance(0.5) ? LevelFormat::Compressed : LevelFormat::Uncompressed;
    schedule.parallel = {op == Operator::SDDMM && random.chance(0.5) ? Index::J : Index::I, Part::Outer};
    schedule.threads = 2;
    schedule.chunk = static_cast<int>(random.between(1, 9));
    return schedule;
}

ExpectedResult expected_by_eigen(Operator op, const CsrPattern& pattern, std::int64_t dense, Random& random) {
    const Extents extents = sparsight::extents(op, pattern.rows, pattern.cols, dense);
    const OperandSizes sizes = operand_sizes(op, extents, pattern.nnz());
    ExpectedResult expected{random_floats(sizes.b, random), random_floats(sizes.d, random), {}, {}};
    const Sparse a = to_eigen(pattern);
    if (op != Operator::SDDMM) {
        const RowMajor b = to_eigen(expected.b, pattern.cols, op == Operator::SpMV ? 1 : dense);
        expected.c = elements(a * b);
        expected.magnitude = elements(a.cwiseAbs() * b.cwiseAbs());
        return expected;
    }
    const RowMajor b = to_eigen(expected.b, pattern.rows, dense);
    const RowMajor d = to_eigen(expected.d, pattern.cols, dense);
    for (std::int64_t row = 0; row < pattern.rows; ++row)
        for (auto e = static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row)]);
             e < static_cast<std::size_t>(pattern.row_pointers[static_cast<std::size_t>(row) + 1]); ++e) {
            const auto value = static_cast<double>(pattern.values[e]);
            expected.c.push_back(value * b.row(row).dot(d.row(pattern.column_ids[e])));
            expected.magnitude.push_back(std::abs(value) *
                                         b.row(row).cwiseAbs().dot(d.row(pattern.column_ids[e]).cwiseAbs()));
        }
    return expected;
}

std::vector<float> in_expected_order(Operator op, const PackedMatrix& packed, const FloatBuffer& c) {
    if (op != Operator::SDDMM)
        return {c.begin(), c.end()};
    std::vector<float> result;
    for (const std::int32_t position : packed.entry_positions)
        result.push_back(c[static_cast<std::size_t>(position)]);
    return result;
}

std::string first_difference(const std::vector<float>& result, const ExpectedResult& expected) {
    if (result.size() != expected.c.size())
        return fmt::format("{} elements instead of {}", result.size(), expected.c.size());
    for (std::size_t e = 0; e < result.size(); ++e)
        if (!(std::abs(static_cast<double>(result[e]) - expected.c[e]) <= 1e-4 * expected.magnitude[e]))
            return fmt::format("element {} is {} instead of {}", e, result[e], expected.c[e]);
    return {};
}

} // namespace sparsight::testing
