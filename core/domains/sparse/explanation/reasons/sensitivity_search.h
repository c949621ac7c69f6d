// Varying one thing at a time.
#pragma once

#include "base/observer.h"
#include "domains/sparse/explanation/reasons/model_reasons.h"
#include "domains/sparse/explanation/reasons/reason_cases.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace sparsight {

/// The explained pattern, changed more and more in one way.
struct PatternSeries {
    struct Step {
        double strength = 0;
        std::size_t pattern = 0; ///< place in the list of patterns; 0: the explained one
    };
    std::string key;
    std::string title;
    std::string unit;
    std::vector<Step> steps; ///< strengths ascending
};

struct SensitivityRequest {
    ReasonCase explained{};
    std::vector<SuperSchedule> others{};       ///< that decisions are taken from
    std::vector<PatternStatistics> patterns{}; ///< in whose range statistics vary; the explained one first
    bool reads_statistics = false;             ///< statistics can be set alone
    std::vector<PatternSeries> series{};
    bool reads_machine = false;
    MarginFunction margins{};
    TimesFunction times{}; ///< simulated ones, say
    /// Those that are known; may be empty. A curve has these where they make one: at three points and at half
    /// of all. Times of both kinds are never compared with each other.
    TimesFunction measured{};
    std::function<bool()> is_over{}; ///< says that time is up: curves that are finished must do
    std::stop_token stop{};
    ProgressSink progress{};
};

/// Errors: those of the margins and times; Fault::Cancelled.
[[nodiscard]] Result<SensitivityReason> find_sensitivity(const SensitivityRequest& request);

} // namespace sparsight
