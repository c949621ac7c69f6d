#include "evaluation/failures/table_failures.h"

#include "evaluation/failures/decision_effects.h"
#include "evaluation/failures/recorded_sizes.h"
#include "evaluation/failures/stored_failures.h"
#include "store/matrices.h"
#include "store/stored_statistics.h"
#include "store/workspace.h"

#include <set>

namespace sparsight {

namespace {

using Statistics = std::map<std::string, PatternStatistics>;

/// Of the matrices of the table whose pattern the workspace has, and can read.
Result<Statistics> known_statistics(Workspace& workspace, const RecordedChoices& recorded, int threads) {
    std::set<std::string_view> named;
    for (const RecordedChoice& choice : recorded.choices)
        named.insert(choice.matrix);
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    Statistics statistics;
    for (const MatrixRecord& record : *records)
        if (record.pattern != PatternPlace::Unknown && named.contains(record.name))
            if (const auto found = matrix_statistics(workspace, record, threads))
                statistics.emplace(record.name, *found);
    return statistics;
}

/// From the table beside the recorded one, otherwise from the workspace, which knows sizes of matrices whose
/// pattern it has not.
Result<void> add_sizes(Workspace* workspace, const std::filesystem::path& table, RecordedChoices& recorded) {
    auto sizes = read_sizes_beside(table);
    if (!sizes)
        return std::unexpected(std::move(sizes).error());
    if (workspace != nullptr) {
        const auto records = list_matrices(*workspace);
        if (!records)
            return std::unexpected(records.error());
        for (const MatrixRecord& record : *records)
            if (record.rows > 0)
                sizes->try_emplace(record.name, record.rows, record.cols, record.nnz);
    }
    for (RecordedChoice& choice : recorded.choices)
        if (const auto found = sizes->find(choice.matrix); found != sizes->end()) {
            choice.rows = found->second.rows;
            choice.cols = found->second.cols;
            choice.nnz = found->second.nnz;
        }
    return {};
}

Result<FailureMachine> machine_for(Workspace& workspace, const TableRequest& request) {
    if (request.machine)
        return FailureMachine{request.machine->name, *request.machine, false};
    return failure_machine(workspace, {});
}

Result<void> simulate_known(Workspace& workspace, const TableRequest& request, TableFailures& failures) {
    auto machine = machine_for(workspace, request);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    ModelEvaluation setting;
    setting.op = request.op;
    setting.dense = request.dense;
    failures.simulated = *std::move(machine);
    return diagnose(workspace, setting, failures.cases,
                    {.machine = failures.simulated->machine,
                     .threads = request.threads,
                     .seed = request.seed,
                     .stop = request.stop,
                     .progress = request.progress});
}

} // namespace

Result<TableFailures> read_table_failures(Workspace* workspace, const TableRequest& request) {
    auto recorded = read_recorded_choices(request.file, request.op);
    if (!recorded)
        return std::unexpected(std::move(recorded).error());
    TableFailures failures{.recorded = *std::move(recorded),
                           .chooser = request.file.stem().string(),
                           .cases = {},
                           .stories = {}};
    if (auto added = add_sizes(workspace, request.file, failures.recorded); !added)
        return std::unexpected(std::move(added).error());
    auto statistics = workspace != nullptr ? known_statistics(*workspace, failures.recorded, request.threads)
                                           : Result<Statistics>();
    if (!statistics)
        return std::unexpected(std::move(statistics).error());
    auto found = find_failures(failures.recorded, failures.chooser, *statistics,
                               {.assumed_noise = request.noise}, request.dense);
    failures.cases = std::move(found.cases);
    failures.one_program = found.one_program;
    if (!statistics->empty())
        if (auto simulated = simulate_known(*workspace, request, failures); !simulated)
            return std::unexpected(std::move(simulated).error());
    diagnose_by_table(failures.recorded, failures.cases);
    failures.explained = DecisionEffects::fit(failures.recorded.choices).explained();
    failures.stories = tell_stories(failures.cases);
    return failures;
}

} // namespace sparsight
