#include "cli/failures_study.h"

#include "base/parallel.h"
#include "base/plural.h"
#include "cli/named_machine.h"
#include "cli/shell_words.h"
#include "command/session.h"
#include "evaluation/evaluation_tables.h"
#include "evaluation/failures/decision_effects.h"
#include "evaluation/failures/recorded_failures.h"
#include "evaluation/stored_evaluation.h"
#include "store/imagined_machines.h"
#include "store/stored_statistics.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

namespace {

Result<std::optional<MachineDescription>> machine_to_simulate(const Session& session,
                                                              const FailuresRequest& request) {
    if (request.simulated_on.empty())
        return std::nullopt;
    auto machine = named_machine(session, request.simulated_on);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    return std::move(machine->machine);
}

Result<RunId> evaluation_asked_for(Workspace& workspace, const FailuresRequest& request) {
    if (request.evaluation)
        return RunId{*request.evaluation};
    EvaluationFilter filter{.model = request.model, .machine = {}};
    if (!request.machine.empty()) {
        const auto machine = find_machine(workspace, request.machine);
        if (!machine)
            return std::unexpected(machine.error());
        if (!*machine)
            return fail(Fault::Input,
                        fmt::format("the workspace has no machine named '{}'", request.machine));
        filter.machine = (*machine)->fingerprint;
    }
    const auto newest = newest_evaluation(workspace, filter);
    if (!newest)
        return std::unexpected(newest.error());
    if (!*newest)
        return fail(Fault::Input,
                    fmt::format("the workspace has no evaluation{}{}: expected one from `evaluate`",
                                request.model.empty() ? "" : " of " + request.model,
                                request.machine.empty() ? "" : " on " + request.machine));
    return **newest;
}

/// Those of one model, told anew.
void keep_model(StoredFailures& failures, const std::string& model) {
    std::erase_if(failures.cases, [&](const FailureCase& each) { return each.model_name != model; });
    std::erase_if(failures.evaluation.models, [&](const EvaluatedModel& each) { return each.name != model; });
    failures.stories = tell_stories(failures.cases);
}

Result<FailuresAnswer> evaluation_failures(const Session& session, const FailuresRequest& request,
                                           const ProgressSink& progress, const std::stop_token& stop) {
    auto machine = machine_to_simulate(session, request);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    auto workspace = session.open_workspace(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto run = evaluation_asked_for(*workspace, request);
    if (!run)
        return std::unexpected(run.error());
    auto failures = read_failures(*workspace, *run, {}, *machine, available_threads(), stop, progress);
    if (!failures)
        return std::unexpected(std::move(failures).error());
    if (!request.model.empty())
        keep_model(*failures, request.model);
    if (failures->evaluation.models.empty())
        return fail(Fault::Input, fmt::format("{} is not part of this evaluation", request.model));
    if (!*machine) {
        const auto record = find_machine(*workspace, failures->evaluation.machine_fingerprint);
        if (record && *record)
            *machine = description_of(**record);
    }
    const ModelEvaluation& evaluation = failures->evaluation;
    FailuresAnswer answer{.run = failures->run,
                          .op = evaluation.op,
                          .dense = evaluation.dense,
                          .machine = evaluation.machine,
                          .setting = setting_sentence(evaluation),
                          .compared = evaluation.matrices() * evaluation.models.size(),
                          .date = evaluation.date,
                          .cases = std::move(failures->cases),
                          .stories = std::move(failures->stories),
                          .simulated_on = std::move(*machine),
                          .remarks = {}};
    return answer;
}

/// Of the matrices of the workspace that the table has, too; without a workspace none.
Result<std::map<std::string, PatternStatistics>> known_statistics(Workspace& workspace,
                                                                  const RecordedChoices& recorded) {
    const auto records = list_matrices(workspace);
    if (!records)
        return std::unexpected(records.error());
    std::map<std::string, PatternStatistics> statistics;
    for (const MatrixRecord& record : *records) {
        if (record.pattern == PatternPlace::Unknown ||
            std::ranges::find(recorded.choices, record.name, &RecordedChoice::matrix) ==
                recorded.choices.end())
            continue;
        if (const auto found = matrix_statistics(workspace, record, available_threads()))
            statistics.emplace(record.name, *found);
    }
    return statistics;
}

class RecordedStudy {
public:
    RecordedStudy(const Session& session, const FailuresRequest& request)
        : session_(session)
        , request_(request) {}

    Result<FailuresAnswer> run(const ProgressSink& progress, const std::stop_token& stop) {
        auto recorded = read_recorded_choices(request_.recorded, request_.op);
        if (!recorded)
            return std::unexpected(std::move(recorded).error());
        recorded_ = std::move(*recorded);
        tell_table();
        if (session_.names_workspace() || session_.has_workspace()) {
            if (auto found = find_with_workspace(progress, stop); !found)
                return std::unexpected(std::move(found).error());
        } else {
            find({});
            answer_.remarks.push_back(
                "no pattern is known here: with a workspace that has the matrices, failures "
                "are told by family and simulated");
        }
        diagnose_by_table(recorded_, answer_.cases);
        answer_.stories = tell_stories(answer_.cases);
        return std::move(answer_);
    }

private:
    void tell_table() {
        const std::string name = std::filesystem::path(request_.recorded).filename().string();
        answer_.op = request_.op;
        answer_.dense = dense_index(request_.op) ? request_.dense : 1;
        answer_.machine = "the machine of " + name;
        answer_.compared = recorded_.choices.size();
        answer_.setting = fmt::format("{}, {}; what {} chose beside fixed CSR, recorded elsewhere",
                                      counted(recorded_.choices.size(), "matrix", "matrices"),
                                      sparsight::name(request_.op), name);
        if (recorded_.left_out > 0)
            answer_.remarks.push_back(fmt::format("{} left out: a time under a microsecond, or of a run that "
                                                  "failed",
                                                  counted(recorded_.left_out, "line is", "lines are")));
        answer_.remarks.push_back(fmt::format(
            "where no pattern is known, blame says what goes along with losing in this table, where "
            "decisions explain {:.0f} % of how times differ from fixed CSR",
            100 * DecisionEffects::fit(recorded_.choices).explained()));
    }

    void find(const std::map<std::string, PatternStatistics>& statistics) {
        answer_.cases = find_failures(recorded_, std::filesystem::path(request_.recorded).stem().string(),
                                      statistics, {.assumed_noise = request_.recorded_noise});
    }

    Result<void> find_with_workspace(const ProgressSink& progress, const std::stop_token& stop) {
        auto workspace = session_.open_workspace(WorkspaceAccess::Read);
        if (!workspace)
            return std::unexpected(std::move(workspace).error());
        const auto statistics = known_statistics(*workspace, recorded_);
        if (!statistics)
            return std::unexpected(statistics.error());
        find(*statistics);
        auto machine = request_.simulated_on.empty() ? this_named_machine(session_)
                                                     : named_machine(session_, request_.simulated_on);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        if (request_.simulated_on.empty() && !statistics->empty())
            answer_.remarks.push_back(
                "nobody says which machine was recorded: simulated is this computer, or "
                "what --simulated-on names");
        answer_.simulated_on = machine->machine;
        ModelEvaluation setting;
        setting.op = answer_.op;
        setting.dense = answer_.dense;
        return diagnose(*workspace, setting, answer_.cases,
                        {.machine = machine->machine,
                         .threads = available_threads(),
                         .stop = stop,
                         .progress = progress});
    }

    const Session& session_;
    const FailuresRequest& request_;
    RecordedChoices recorded_;
    FailuresAnswer answer_;
};

} // namespace

Result<FailuresAnswer> answer_failures(const Session& session, const FailuresRequest& request,
                                       const ProgressSink& progress, const std::stop_token& stop) {
    if (request.recorded.empty())
        return evaluation_failures(session, request, progress, stop);
    return RecordedStudy(session, request).run(progress, stop);
}

std::string failures_options(const FailuresRequest& request, const FailuresAnswer& answer) {
    std::string text;
    if (request.recorded.empty())
        text = fmt::format("--evaluation {}", static_cast<std::int64_t>(answer.run.value_or(RunId{})));
    else
        text = fmt::format("--recorded {} --operator {} --dense {}", shell_word(request.recorded),
                           name(request.op), request.dense);
    if (!request.recorded.empty() && request.recorded_noise != FailuresRequest{}.recorded_noise)
        text += fmt::format(" --noise {}", request.recorded_noise);
    if (!request.model.empty())
        text += " --model " + shell_word(request.model);
    if (!request.simulated_on.empty())
        text += " --simulated-on " + shell_word(request.simulated_on);
    return text;
}

} // namespace sparsight
