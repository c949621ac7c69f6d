#include "gui/failures/failure_reader.h"

#include "evaluation/failures/decision_effects.h"
#include "evaluation/failures/recorded_failures.h"
#include "evaluation/failures/stored_failures.h"
#include "gui/failures/failure_machine.h"
#include "store/results.h"
#include "store/workspace.h"

#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <set>

namespace sparsight {

namespace {

FailureSetting setting_of(const StoredEvaluation& stored, const ModelEvaluation& evaluation) {
    FailureSetting setting;
    setting.run = stored.run;
    setting.machine = stored.machine;
    setting.machine_name = QString::fromStdString(evaluation.machine);
    setting.op = evaluation.op;
    setting.dense = evaluation.dense;
    setting.k = evaluation.k;
    setting.source = evaluation.source;
    if (const int threads = kernel_threads_of(evaluation); threads > 0)
        setting.threads = threads;
    for (const EvaluatedModel& model : evaluation.models)
        setting.models << QString::fromStdString(model.name);
    if (!evaluation.models.empty())
        for (const EvaluatedMatrix& matrix : evaluation.models.front().matrices)
            setting.matrices << QString::fromStdString(matrix.times.matrix);
    return setting;
}

QStringList measured_matrices(Workspace& workspace, const std::string& machine, Operator op) {
    std::set<QString> names;
    for (const ResultRow& row :
         list_results(workspace, {.machine = machine, .op = op}).value_or(std::vector<ResultRow>{}))
        if (row.status == MeasurementStatus::Measured)
            names.insert(QString::fromStdString(row.matrix));
    return {names.begin(), names.end()};
}

/// Statistics of the matrices of the table that the workspace knows by their pattern.
std::map<std::string, PatternStatistics> known_statistics(Workspace& workspace,
                                                          const RecordedChoices& recorded, int threads) {
    ModelEvaluation named;
    named.models.emplace_back();
    for (const RecordedChoice& choice : recorded.choices) {
        EvaluatedMatrix matrix;
        matrix.times.matrix = choice.matrix;
        named.models.front().matrices.push_back(std::move(matrix));
    }
    auto context = failure_context(workspace, named, threads);
    return context ? std::move(context->statistics) : std::map<std::string, PatternStatistics>{};
}

Result<void> read_table(const WantedFailures& wanted, Workspace* workspace, ReadFailures& answer) {
    const auto recorded = read_recorded_choices(wanted.table);
    if (!recorded)
        return std::unexpected(recorded.error());
    const auto statistics = workspace != nullptr ? known_statistics(*workspace, *recorded, wanted.threads)
                                                 : std::map<std::string, PatternStatistics>{};
    const QString table = QString::fromStdString(wanted.table);
    const QString chooser = QFileInfo(table).completeBaseName();
    answer.cases = find_failures(*recorded, chooser.toStdString(), statistics);
    diagnose_by_table(*recorded, answer.cases);
    answer.stories = tell_stories(answer.cases);
    answer.setting.table = table;
    answer.setting.source = TimeSource::Recorded;
    answer.setting.models = QStringList{chooser};
    answer.setting.left_out = recorded->left_out;
    answer.setting.explained = DecisionEffects::fit(recorded->choices).explained();
    for (const RecordedChoice& choice : recorded->choices)
        answer.setting.matrices << QString::fromStdString(choice.matrix);
    return {};
}

Result<void> read_run(Workspace& workspace, const StoredEvaluation& stored, int threads,
                      const std::stop_token& stop, ReadFailures& answer) {
    auto machine = machine_of_failures(workspace, stored.machine.toStdString());
    auto found =
        read_failures(workspace, stored.run, {},
                      machine ? std::optional(std::move(machine->machine)) : std::nullopt, threads, stop);
    if (!found)
        return std::unexpected(std::move(found.error()));
    answer.setting = setting_of(stored, found->evaluation);
    answer.setting.measured = measured_matrices(workspace, stored.machine.toStdString(), answer.setting.op);
    answer.cases = std::move(found->cases);
    answer.stories = std::move(found->stories);
    return {};
}

} // namespace

Result<std::shared_ptr<const ReadFailures>> read_failures_of(const WantedFailures& wanted,
                                                             const std::stop_token& stop) {
    auto answer = std::make_shared<ReadFailures>();
    std::optional<Workspace> workspace;
    if (!wanted.workspace.empty()) {
        auto opened = Workspace::open(
            wanted.workspace, {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
        if (!opened)
            return std::unexpected(std::move(opened.error()));
        workspace = std::move(*opened);
        auto evaluations = list_evaluations(*workspace);
        if (!evaluations)
            return std::unexpected(std::move(evaluations.error()));
        answer->evaluations = std::move(*evaluations);
    }
    if (!wanted.table.empty()) {
        if (auto read = read_table(wanted, workspace ? &*workspace : nullptr, *answer); !read)
            return std::unexpected(std::move(read.error()));
        return answer;
    }
    if (!workspace)
        return answer;
    // The newest that has something to show, unless one was chosen.
    for (const StoredEvaluation& stored : answer->evaluations) {
        if (wanted.run && stored.run != *wanted.run)
            continue;
        const auto read = read_run(*workspace, stored, wanted.threads, stop, *answer);
        if (read && !answer->setting.matrices.isEmpty())
            break;
        if (!read && read.error().fault == Fault::Cancelled)
            return std::unexpected(read.error());
        answer->problem = read ? QString() : QString::fromStdString(read.error().text());
    }
    if (!answer->setting.matrices.isEmpty())
        answer->problem.clear();
    return answer;
}

} // namespace sparsight
