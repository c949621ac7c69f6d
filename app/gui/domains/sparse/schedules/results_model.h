// The measured schedules of a matrix as table rows and as bars, fastest first.
#pragma once

#include "gui/domains/sparse/schedules/ranked_results.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "widgets/chart/chart_values.h"
#include "widgets/table/record_model.h"

#include <span>

namespace sparsight {

/// Identifies a result among those of one matrix: its schedule's text and the other fields that may differ.
[[nodiscard]] QString key_of(const RankedResult& result);

class ResultsModel : public RecordModel<RankedResult> {
public:
    explicit ResultsModel(QObject* parent = nullptr);

    enum Column { Rank, Speedup, Time, Schedule, Storage, Status, Spread, Code };
};

/// The schedules that have a speedup: blue bars upwards for faster than fixed CSR, orange bars downwards for
/// slower, pale where the difference may be noise.
[[nodiscard]] BarSeries speedup_bars(std::span<const RankedResult> results);

} // namespace sparsight
