// Measured schedules as table rows, fastest first.
#pragma once

#include "gui/workspace/ranked_results.h"
#include "widgets/table/record_model.h"

namespace sparsight {

/// Names a result among those of one matrix: its schedule's text and what else it may differ in.
[[nodiscard]] QString key_of(const RankedResult& result);

/// "measured", "gave up" … in the language of the window, and what that means.
[[nodiscard]] QString status_text(MeasurementStatus status);
[[nodiscard]] QString status_meaning(MeasurementStatus status);

class ResultsModel : public RecordModel<RankedResult> {
public:
    explicit ResultsModel(QObject* parent = nullptr);

    enum Column { Rank, Speedup, Time, Schedule, Storage, Status, Spread };
};

} // namespace sparsight
