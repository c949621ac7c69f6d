// Why a schedule is among those that were chosen: its score, that it differs from them, or that the simulator
// alone chose it (search/portfolio.h).
#pragma once

#include "gui/candidates/candidate_rows.h"

namespace sparsight {

/// Of hedges, the one before that is most like each and the decisions in which they differ. The rows are in
/// the order of their ranks; `simulated` schedules had a place.
void explain_choice(std::vector<CandidateRow>& rows, qint64 simulated);

/// "best score", "hedge: chunk, level order", "simulator's choice"; where the search did not tell, its place
/// by the score. Empty where nothing was weighed.
[[nodiscard]] QString choice_reason(const CandidateRow& row);
/// Which place it has by its score and why it was chosen; of a hedge, from what it differs.
[[nodiscard]] QString choice_reason_in_full(const CandidateRow& row);

} // namespace sparsight
