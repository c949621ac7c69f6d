// Measured schedules as table rows, fastest first.
#pragma once

#include "gui/page/schedule_words.h"
#include "gui/workspace/ranked_results.h"
#include "widgets/chart/chart_values.h"
#include "widgets/table/record_model.h"

#include <span>

namespace sparsight {

/// Names a result among those of one matrix: its schedule's text and what else it may differ in.
[[nodiscard]] QString key_of(const RankedResult& result);

class ResultsModel : public RecordModel<RankedResult> {
public:
    explicit ResultsModel(QObject* parent = nullptr);

    enum Column { Rank, Speedup, Time, Schedule, Storage, Status, Spread };
};

// Measured schedules as bars, fastest first.

/// Those with a speedup: up and blue where they win, down and orange where they lose, pale where that may be
/// noise.
[[nodiscard]] BarSeries speedup_bars(std::span<const RankedResult> results);

} // namespace sparsight
