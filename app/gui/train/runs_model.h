// Training runs as table rows, newest first: the columns of the runs on the Train page and of the
// fine-tunings.
#pragma once

#include "gui/jobs/job.h"
#include "gui/runs/stored_learning.h"
#include "widgets/chart/chart_values.h"
#include "widgets/table/record_model.h"

namespace sparsight {

class TrainingRuns;

struct RunRow {
    TrainingRun run;
    std::optional<ChartColour> colour = {}; ///< the colour of its curves while they are drawn
    std::optional<JobState> job = {};       ///< of the job that works, or last worked, at it
    bool is_outdated = false;               ///< its job has ended, and its last results are being read

    bool operator==(const RunRow&) const = default;
};

[[nodiscard]] QString key_of(RunId run);
/// One word for the run's state on every page: the state of its job while there is one, "interrupted" for a
/// run that is stored as running while no process works at it.
[[nodiscard]] QString state_text(const RunRow& row);
/// The configurations that a fine-tuning was to learn from; 0: whole workloads.
[[nodiscard]] int rows_of(const TrainingRun& run);
/// Whether its shots are rows, also where how many was not said.
[[nodiscard]] bool counts_rows(const TrainingRun& run);
/// How a run ended before its last epoch: "stopped after epoch 3, and the best until then kept". Empty for
/// other runs.
[[nodiscard]] QString ending_text(const TrainingRun& run);
[[nodiscard]] RecordColumn<RunRow> state_column();
[[nodiscard]] RecordColumn<RunRow> started_column();
[[nodiscard]] QString method_text(const QString& method, const DomainWords& words);

class RunsModel : public RecordModel<RunRow> {
public:
    RunsModel(const TrainingRuns& runs, const DomainWords& words, QObject* parent = nullptr);

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
        Workloads,
        Epochs,
        Time,
        Machines,
        Started
    };
};

/// The place of the column "Started", the last one.
inline constexpr int started_place = 7;

[[nodiscard]] std::vector<RecordColumn<RunRow>> fine_tuning_columns(const TrainingRuns& runs,
                                                                    const DomainWords& words);

} // namespace sparsight
