// The sentence above the ranking: which schedule wins, by how much, and whether one can be sure of it.
#pragma once

#include "gui/workspace/ranked_results.h"

#include <QString>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace sparsight {

struct ResultSummary {
    QString matrix;
    const RankedResult* best = nullptr;
    const RankedResult* fixed_csr = nullptr; ///< nullptr: not measured
    std::size_t rivals = 0;                  ///< of fixed CSR that ran
    bool can_measure_again = false;          ///< here: offers to where the lead may be noise
};

/// How many schedules have a time, fixed CSR aside.
[[nodiscard]] std::size_t rivals(std::span<const RankedResult> results);

/// Rich text. Its only link measures the best and fixed CSR again. Empty without a best.
[[nodiscard]] QString result_summary_text(const ResultSummary& facts);

// Measuring one schedule again measures fixed CSR anew, and with it every speedup becomes another. That is
// said, with the time before and now, and of how many schedules the speedup compares two sessions.

class BaselineNote {
public:
    /// What was read for this question now. Returns what to say; nothing while all was measured with, or
    /// after, fixed CSR.
    [[nodiscard]] QString text_for(const ResultFilter& question, const std::vector<RankedResult>& results);
    /// Another workspace has times of its own.
    void forget() { known_.clear(); }

private:
    struct Baseline {
        std::string measured;
        double milliseconds = 0;
        std::optional<double> before; ///< milliseconds, until it was measured anew in this window
    };

    std::map<std::string, Baseline> known_; ///< by question
};

} // namespace sparsight
