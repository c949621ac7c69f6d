// The schedules that a search found, as table rows: the model's scores, the known times, and why each
// schedule was chosen (search/portfolio.h).
#pragma once

#include "evaluation/model_evaluation.h"
#include "gui/domains/sparse/candidates/stored_searches.h"
#include "gui/domains/sparse/schedules/ranked_results.h"
#include "widgets/table/record_model.h"

namespace sparsight {

struct CandidateRow {
    FoundCandidate found;
    Operator op = Operator::SpMM;
    bool is_fixed_csr = false;
    TimeSource origin = TimeSource::Measured;
    std::optional<RankedResult> time{};
    // Only for a schedule of a portfolio that was chosen as a hedge, because it differs from the others:
    int nearest = 0; ///< rank of the most similar schedule ranked before it; 0: none
    QStringList
        differs{}; ///< decisions that differ from `nearest` (domains/sparse/schedule/schedule_decision.h)
    qint64 simulated = 0; ///< number of simulated schedules among which this one is ranked

    bool operator==(const CandidateRow&) const = default;
};

/// Schedules with the same meaning count as one, however they are written.
[[nodiscard]] std::vector<CandidateRow>
candidate_rows(const CandidateSearch& search, const std::vector<RankedResult>& results, TimeSource origin);

/// The fastest row that has a time; fixed CSR is left out.
[[nodiscard]] const CandidateRow* best_of(const std::vector<CandidateRow>& rows);

class CandidatesModel : public RecordModel<CandidateRow> {
public:
    explicit CandidatesModel(QObject* parent = nullptr);

    enum Column { Rank, Schedule, Score, Network, Simulated, Why, Time, Speedup, Status };
};

/// Fills in, for every hedge, the most similar schedule ranked before it and the decisions in which the two
/// differ. The rows are in the order of their ranks; `simulated` schedules were ranked.
void explain_choice(std::vector<CandidateRow>& rows, qint64 simulated);

/// "best score", "hedge: chunk, level order", "simulator's choice"; the rank by score where the search
/// recorded no reason. Empty for a schedule without a rank by score.
[[nodiscard]] QString choice_reason(const CandidateRow& row);
/// The rank by score and why the schedule was chosen; for a hedge also how it differs from its nearest
/// schedule.
[[nodiscard]] QString choice_reason_in_full(const CandidateRow& row);

} // namespace sparsight
