// Training runs as table rows, the newest first.
#pragma once

#include "gui/runs/stored_runs.h"
#include "widgets/chart/chart_series.h"
#include "widgets/table/record_model.h"

namespace sparsight {

struct RunRow {
    TrainingRun run;
    std::optional<ChartColour> colour; ///< while its curves are drawn
    bool is_live = false;              ///< a worker is at it

    bool operator==(const RunRow&) const = default;
};

[[nodiscard]] QString key_of(RunId run);
/// "running", "finished", "interrupted" for a run that says it runs while nobody works at it.
[[nodiscard]] QString state_text(const RunRow& row);
[[nodiscard]] QString method_text(const QString& method);

class RunsModel : public RecordModel<RunRow> {
public:
    explicit RunsModel(QObject* parent = nullptr);

    enum Column {
        Shown,
        Name,
        Method,
        Architecture,
        Accuracy,
        Regret,
        Test,
        Trees,
        Epochs,
        Time,
        Machines,
        Started,
        State
    };
};

} // namespace sparsight
