// Why a schedule is among those that were chosen: its score, or that it differs from them
// (search/portfolio.h).
#pragma once

#include "gui/candidates/candidate_rows.h"

namespace sparsight {

/// Marks hedges, with the one before that is most like each and the decisions in which they differ. The rows
/// are in the order of their ranks; `simulated` schedules had a place.
void explain_choice(std::vector<CandidateRow>& rows, qint64 simulated);

/// "best score", "hedge: chunk, level order"; empty where nothing was weighed against its likeness.
[[nodiscard]] QString choice_reason(const CandidateRow& row);
/// Which place it has by its score, why others were left out for it, and from what it differs.
[[nodiscard]] QString choice_reason_in_full(const CandidateRow& row);

} // namespace sparsight
