// What was found as table rows: what the model says of each schedule, and what is known of its time.
#pragma once

#include "evaluation/model_evaluation.h"
#include "gui/candidates/stored_searches.h"
#include "gui/workspace/ranked_results.h"
#include "widgets/table/record_model.h"

namespace sparsight {

struct CandidateRow {
    FoundCandidate found;
    Operator op = Operator::SpMM;
    bool is_fixed_csr = false;
    TimeSource origin = TimeSource::Measured;
    std::optional<RankedResult> time{};
    // Of a portfolio, of one that was chosen for its difference:
    int nearest = 0;       ///< rank of the one before it that is most like it; 0: none
    QStringList differs{}; ///< from that one, in these decisions (evaluation/diagnosis/hybrids/decision.h)
    qint64 simulated = 0;  ///< schedules among which its place is

    bool operator==(const CandidateRow&) const = default;
};

/// Schedules of the same meaning are one, however they are written.
[[nodiscard]] std::vector<CandidateRow>
candidate_rows(const CandidateSearch& search, const std::vector<RankedResult>& results, TimeSource origin);

/// The fastest of those that have a time; fixed CSR is none of them.
[[nodiscard]] const CandidateRow* best_of(const std::vector<CandidateRow>& rows);

class CandidatesModel : public RecordModel<CandidateRow> {
public:
    explicit CandidatesModel(QObject* parent = nullptr);

    enum Column { Rank, Schedule, Score, Network, Simulated, Why, Time, Speedup, Status };
};

// Why a schedule is among those that were chosen: its score, that it differs from them, or that the simulator
// alone chose it (search/portfolio.h).

/// Of hedges, the one before that is most like each and the decisions in which they differ. The rows are in
/// the order of their ranks; `simulated` schedules had a place.
void explain_choice(std::vector<CandidateRow>& rows, qint64 simulated);

/// "best score", "hedge: chunk, level order", "simulator's choice"; where the search did not tell, its place
/// by the score. Empty where nothing was weighed.
[[nodiscard]] QString choice_reason(const CandidateRow& row);
/// Which place it has by its score and why it was chosen; of a hedge, from what it differs.
[[nodiscard]] QString choice_reason_in_full(const CandidateRow& row);

} // namespace sparsight
