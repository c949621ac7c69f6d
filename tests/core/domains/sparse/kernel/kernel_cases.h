// Matrices, storage formats, schedules and expected results that the kernel tests share.
#pragma once

#include "base/random.h"
#include "domains/sparse/kernel/measurement/kernel_inputs.h"
#include "domains/sparse/kernel/storage/storage_format.h"
#include "domains/sparse/schedule/super_schedule.h"
#include "domains/sparse/tensor/pattern.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sparsight::testing {

struct NamedPattern {
    std::string name;
    CsrPattern pattern;
};

/// Every shape that a loop bound could get wrong: empty, 1×1, one row, one column, empty rows, extents that
/// no split divides, more rows than columns and the reverse.
[[nodiscard]] std::vector<NamedPattern> awkward_patterns();

/// Each entry present with the given probability; values around 1, both signs.
[[nodiscard]] CsrPattern random_pattern(std::int64_t rows, std::int64_t cols, double density, Random& random);

/// Any valid schedule, loops in any order, splits that need not divide anything; wilder than the samplers.
[[nodiscard]] SuperSchedule random_schedule(Operator op, Random& random);

/// Dense operands and what Eigen says the result is: C for SpMM and SpMV in row-major order, for SDDMM one
/// value for each entry in CSR order.
struct ExpectedResult {
    FloatBuffer b;
    FloatBuffer d;
    std::vector<double> c;
    std::vector<double> magnitude; ///< Σ |products|: what rounding errors are relative to
};
[[nodiscard]] ExpectedResult expected_by_eigen(Operator op, const CsrPattern& pattern, std::int64_t dense,
                                               Random& random);

/// The kernel's C in the order of ExpectedResult::c.
[[nodiscard]] std::vector<float> in_expected_order(Operator op, const PackedMatrix& packed,
                                                   const FloatBuffer& c);

/// Empty when every element agrees to 1e-4 of its magnitude; otherwise which one does not.
[[nodiscard]] std::string first_difference(const std::vector<float>& result, const ExpectedResult& expected);

// Storage formats and small matrices, written in a test the way one speaks of them.

/// build_format(4, 6, "i1:U k1:C i0:U k0:U", 2, 3): the levels outermost first.
inline StorageFormat build_format(std::int64_t rows, std::int64_t cols, std::string_view levels,
                                  std::int64_t row_split = 1, std::int64_t column_split = 1) {
    StorageFormat format{{rows, cols}, {}};
    for (std::size_t at = 0; at < levels.size(); at += 5) {
        const bool is_row = levels[at] == 'i';
        const Part part = levels[at + 1] == '1' ? Part::Outer : Part::Inner;
        const std::int64_t split = is_row ? row_split : column_split;
        const std::int64_t length = is_row ? rows : cols;
        format.levels.push_back(
            {{is_row ? Index::I : Index::K, part},
             is_row ? 0U : 1U,
             split,
             part == Part::Outer ? length / split + (length % split != 0 ? 1 : 0) : split,
             levels[at + 3] == 'C' ? LevelFormat::Compressed : LevelFormat::Uncompressed});
    }
    return format;
}

struct Triple {
    std::int32_t row;
    std::int32_t column;
    float value;
    auto operator<=>(const Triple&) const = default;
};

inline CsrPattern build_pattern(std::int64_t rows, std::int64_t cols, const std::vector<Triple>& entries) {
    CooPattern coordinates{rows, cols, {}, {}, {}};
    for (const Triple& entry : entries) {
        coordinates.row_ids.push_back(entry.row);
        coordinates.column_ids.push_back(entry.column);
        coordinates.values.push_back(entry.value);
    }
    return compress(std::move(coordinates), 1).pattern;
}

/// Levels in any order, each compressed or not; a split of 1 leaves its inner level out.
inline StorageFormat random_format(Random& random, const CsrPattern& pattern,
                                   std::span<const std::int64_t> splits) {
    const std::int64_t row_split = random.pick(splits);
    const std::int64_t column_split = random.pick(splits);
    std::vector<std::string> levels{"i1:", "k1:"};
    if (row_split > 1)
        levels.emplace_back("i0:");
    if (column_split > 1)
        levels.emplace_back("k0:");
    random.shuffle(levels);
    std::string text;
    for (const std::string& level : levels)
        text += (text.empty() ? "" : " ") + level + (random.chance(0.5) ? "C" : "U");
    return build_format(pattern.rows, pattern.cols, text, row_split, column_split);
}

} // namespace sparsight::testing
