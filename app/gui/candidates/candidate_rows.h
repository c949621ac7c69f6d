// The configurations that a search found, as table rows: the model's scores, the known times, and why each
// configuration was chosen (search/portfolio.h).
#pragma once

#include "evaluation/model_evaluation.h"
#include "evaluation/rematch_times.h"
#include "gui/candidates/search_features.h"
#include "gui/candidates/stored_searches.h"
#include "gui/workspace/configuration_times.h"
#include "study/configuration_space.h"
#include "widgets/table/record_model.h"

namespace sparsight {

struct CandidateRow {
    FoundCandidate found;
    ConfigurationName name{};
    bool is_baseline = false;
    TimeSource origin = TimeSource::Measured;
    std::optional<ConfigurationTime> time{};
    bool is_in_noise = false;         ///< its speedup (is_speedup_in_noise() in stored_results.h)
    bool is_fastest_in_turns = false; ///< of all, when an evaluation measured the best in turns
    QStringList values{}; ///< one for each of CandidateTable::decisions; empty: it has no such decision
    // Only for a configuration of a portfolio that was chosen as a hedge, because it differs from the others:
    int nearest = 0;       ///< rank of the most similar configuration ranked before it; 0: none
    QStringList differs{}; ///< decisions that differ from `nearest`, for people
    qint64 simulated = 0;  ///< number of simulated configurations among which this one is ranked

    [[nodiscard]] std::optional<double> median_ms() const {
        return time ? time->result.median_ms : std::nullopt;
    }
    [[nodiscard]] bool is_measured() const {
        return median_ms() && time->result.status == MeasurementStatus::Measured;
    }
    bool operator==(const CandidateRow&) const = default;
};

/// What rows are made with, besides the search.
struct CandidateContext {
    const Domain& domain;
    const TimeSet& times;
    TimeSource origin = TimeSource::Measured;
    /// Null: nothing was measured in turns.
    const FastestInTurns* in_turns = nullptr;
    /// How alike two configurations are; null: that is not said.
    const ConfigurationSpace* space = nullptr;
    /// As in SearchFeatures; absent: decisions in columns of their own.
    NameConfigurations name{};
};

struct CandidateTable {
    std::vector<ShownDecision> decisions; ///< that are shown, in the order in which they are made
    std::vector<CandidateRow> rows;
};

/// Configurations with the same meaning count as one, however they are written.
[[nodiscard]] CandidateTable candidate_table(const CandidateSearch& search, const CandidateContext& context);

/// The fastest row that has a time; the baseline is left out.
[[nodiscard]] const CandidateRow* best_of(const std::vector<CandidateRow>& rows);

/// "1.24×", or "~1.24×" where it may be noise: over the baseline.
[[nodiscard]] QString speedup_text(const CandidateRow& row);

class CandidatesModel : public RecordModel<CandidateRow> {
public:
    /// A column for each of the decisions stands behind the others. `code_meaning` is as in SearchFeatures;
    /// without it there is no column of texts.
    explicit CandidatesModel(const DomainWords& words, const std::vector<ShownDecision>& decisions = {},
                             const QString& code_meaning = {}, QObject* parent = nullptr);

    /// Comparison: the speedup over the baseline; in a domain without one, the time over the best known.
    enum Column { Rank, Configuration, Score, Network, Simulated, Why, Time, Comparison, Status, Code };
};

/// "best score", "hedge: chunk, level order", "simulator's choice"; the rank by score where the search
/// recorded no reason. Empty for a configuration without a rank by score.
[[nodiscard]] QString choice_reason(const CandidateRow& row);
/// The rank by score and why the configuration was chosen; for a hedge also how it differs from its nearest
/// configuration.
[[nodiscard]] QString choice_reason_in_full(const CandidateRow& row);

} // namespace sparsight
