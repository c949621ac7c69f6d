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
    QStringList differs{}; ///< from that one, in these decisions (evaluation/diagnosis/decision.h)
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

} // namespace sparsight
