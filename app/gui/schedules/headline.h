// The sentence above the ranking: which schedule wins, by how much, and whether one can be sure of it.
#pragma once

#include "gui/workspace/ranked_results.h"

#include <QString>

namespace sparsight {

struct HeadlineFacts {
    QString matrix;
    const RankedResult* best = nullptr;
    const RankedResult* fixed_csr = nullptr; ///< nullptr: not measured
    std::size_t count = 0;                   ///< of schedules
    bool can_measure_again = false;          ///< here: offers to where the lead may be noise
};

/// Rich text. Its only link measures the best and fixed CSR again. Empty without a best.
[[nodiscard]] QString headline_text(const HeadlineFacts& facts);

} // namespace sparsight
