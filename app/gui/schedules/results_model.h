// Measured schedules as table rows, fastest first.
#pragma once

#include "gui/page/measurement_words.h"
#include "gui/workspace/ranked_results.h"
#include "widgets/table/record_model.h"

namespace sparsight {

/// Names a result among those of one matrix: its schedule's text and what else it may differ in.
[[nodiscard]] QString key_of(const RankedResult& result);

class ResultsModel : public RecordModel<RankedResult> {
public:
    explicit ResultsModel(QObject* parent = nullptr);

    enum Column { Rank, Speedup, Time, Schedule, Storage, Status, Spread };
};

} // namespace sparsight
