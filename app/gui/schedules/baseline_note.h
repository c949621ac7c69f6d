// Measuring one schedule again measures fixed CSR anew, and with it every speedup becomes another. That is
// said, with the time before and now, and of how many schedules the speedup compares two sessions.
#pragma once

#include "gui/workspace/ranked_results.h"

#include <QString>
#include <map>
#include <string>
#include <vector>

namespace sparsight {

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
