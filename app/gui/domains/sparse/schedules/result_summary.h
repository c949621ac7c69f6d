// The sentences above the ranking: which schedule is the fastest, by how much and whether the lead may be
// noise. Where the best were measured in turns, that figure leads, and the collected one is named as such.
// And a note when fixed CSR was measured again, which changes every speedup.
#pragma once

#include "gui/domains/sparse/schedules/ranked_results.h"

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
    std::size_t rivals = 0;                  ///< number of schedules other than fixed CSR that ran
    /// Whether the times are of this computer. The page then offers to measure again where the lead may be
    /// noise.
    bool can_measure_again = false;
    const RankedResult* rival = nullptr;   ///< the fastest other than fixed CSR; nullptr: none has a time
    const RankedResult* winner = nullptr;  ///< clear_winner()
    const TurnsResult* in_turns = nullptr; ///< nullptr: nothing was measured in turns
    bool is_short = false;                 ///< the verdict alone, where there is little room
};

/// The number of schedules that have a time, without fixed CSR.
[[nodiscard]] std::size_t rivals(std::span<const RankedResult> results);

/// The fastest that is not fixed CSR, with a time of its own; nullptr: there is none.
[[nodiscard]] const RankedResult* fastest_rival(std::span<const RankedResult> results);

/// The fastest that beats fixed CSR beyond noise; nullptr: there is none.
[[nodiscard]] const RankedResult* clear_winner(std::span<const RankedResult> results);

/// Rich text. One test of noise guards winners and losers, and times that spread much are told. Its only link
/// measures the fastest schedule other than fixed CSR, and fixed CSR, again. Empty without a best schedule.
[[nodiscard]] QString result_summary_text(const ResultSummary& facts);

/// Measuring a schedule again measures fixed CSR again, too, which changes every speedup. The note says so:
/// it gives the time before and now, and the number of schedules whose speedup compares two sessions.
class BaselineNote {
public:
    /// Takes the results just read for this question. Returns the note; empty while everything was measured
    /// with or after fixed CSR.
    [[nodiscard]] QString text_for(const ResultFilter& question, const std::vector<RankedResult>& results);
    /// Forgets the baselines: another workspace has its own times.
    void forget() { known_.clear(); }

private:
    struct Baseline {
        std::string measured;
        double milliseconds = 0;
        std::optional<double> before; ///< milliseconds before fixed CSR was measured again in this window
    };

    std::map<std::string, Baseline> known_; ///< by question
};

} // namespace sparsight
