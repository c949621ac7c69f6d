// Training runs as table rows, the newest first.
#pragma once

#include "gui/jobs/job.h"
#include "gui/runs/stored_learning.h"
#include "widgets/chart/chart_values.h"
#include "widgets/table/record_model.h"

namespace sparsight {

class TrainingRuns;

struct RunRow {
    TrainingRun run;
    std::optional<ChartColour> colour = {}; ///< while its curves are drawn
    std::optional<JobState> job = {};       ///< of the job that works at it, or was the last to
    bool is_outdated = false;               ///< that job has ended, and what it wrote last is being read

    bool operator==(const RunRow&) const = default;
};

[[nodiscard]] QString key_of(RunId run);
/// One word wherever the run is shown: that of its job while there is one, "interrupted" for a run that says
/// it runs while nobody works at it.
[[nodiscard]] QString state_text(const RunRow& row);
/// How a run ended that did not come to its last epoch: "stopped after epoch 3, and the best until then
/// kept". Empty for others.
[[nodiscard]] QString ending_text(const TrainingRun& run);
[[nodiscard]] RecordColumn<RunRow> state_column();
[[nodiscard]] RecordColumn<RunRow> started_column();
[[nodiscard]] QString method_text(const QString& method);

class RunsModel : public RecordModel<RunRow> {
public:
    explicit RunsModel(const TrainingRuns& runs, QObject* parent = nullptr);

    enum Column {
        Shown,
        Name,
        State,
        Method,
        Architecture,
        Accuracy,
        Regret,
        Test,
        Trees,
        Matrices,
        Epochs,
        Time,
        Machines,
        Started
    };
};

// The table of fine-tunings.

/// Of the last of them, when each was started.
inline constexpr int started_place = 7;

[[nodiscard]] std::vector<RecordColumn<RunRow>> fine_tuning_columns(const TrainingRuns& runs);

} // namespace sparsight
