// The sentence above the ranking: which schedule wins, by how much, and whether one can be sure of it.
#pragma once

#include "gui/workspace/ranked_results.h"

#include <QString>
#include <span>

namespace sparsight {

struct HeadlineFacts {
    QString matrix;
    const RankedResult* best = nullptr;
    const RankedResult* fixed_csr = nullptr; ///< nullptr: not measured
    std::size_t rivals = 0;                  ///< of fixed CSR that ran
    bool can_measure_again = false;          ///< here: offers to where the lead may be noise
};

/// How many schedules have a time, fixed CSR aside.
[[nodiscard]] std::size_t rivals(std::span<const RankedResult> results);

/// Rich text. Its only link measures the best and fixed CSR again. Empty without a best.
[[nodiscard]] QString headline_text(const HeadlineFacts& facts);

} // namespace sparsight
