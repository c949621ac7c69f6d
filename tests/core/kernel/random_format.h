// Any storage format that a matrix can have.
#pragma once

#include "base/random.h"
#include "storage_format_builder.h"

#include <span>
#include <string>
#include <vector>

namespace sparsight::testing {

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
