#include "domains/sparse/workflow/explanation/failures_study.h"

#include "base/parallel.h"
#include "base/text.h"
#include "domains/sparse/explanation/failures/recorded_failures.h"
#include "domains/sparse/sparse_domain.h"
#include "evaluation/model_evaluation.h"
#include "evaluation/reports/evaluation_tables.h"
#include "workflow/machines/named_machines.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace sparsight {

namespace {

Result<std::optional<MachineDescription>> machine_to_simulate(const WorkspaceLocation& location,
                                                              const SparseFailuresRequest& request) {
    if (request.simulated_on.empty())
        return std::nullopt;
    auto machine = named_machine(location, request.simulated_on);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    return std::move(machine->machine);
}

/// An operator without a dense index has no such extent.
void leave_out_absent_dense(FailuresAnswer& answer) {
    if (!dense_index(sparse_setting(answer.setting).op))
        for (SettingMember& member : answer.setting_members)
            if (std::holds_alternative<std::int64_t>(member.value))
                member.value = std::monostate();
}

Result<FailuresAnswer> evaluation_failures(const WorkspaceLocation& location,
                                           const SparseFailuresRequest& request, Observer& observer,
                                           const std::stop_token& stop) {
    auto machine = machine_to_simulate(location, request);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    auto workspace = location.open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace).error());
    const auto domain = make_sparse_domain();
    const auto requested = requested_evaluation(*workspace, *domain, request);
    if (!requested)
        return std::unexpected(requested.error());
    auto failures = read_failures(*workspace, *domain, requested->run, {}, *machine, available_threads(),
                                  stop, observer.sink(), request.seed);
    if (!failures)
        return std::unexpected(std::move(failures).error());
    FailuresAnswer answer = answer_about(requested->run, std::move(failures->evaluation), *domain);
    answer.remarks = remarks_on_evaluation(*requested);
    answer.cases = std::move(failures->cases);
    if (auto kept = keep_model(answer, request.model); !kept)
        return std::unexpected(std::move(kept).error());
    if (auto asked = ask_what_misled(answer, *workspace, observer, stop); !asked)
        return std::unexpected(std::move(asked).error());
    leave_out_absent_dense(answer);
    answer.simulated_on = failures->simulated.machine;
    answer.stands_in = failures->simulated.stands_in;
    if (answer.stands_in)
        answer.remarks.push_back(stand_in_sentence(failures->simulated, answer.machine));
    return answer;
}

/// Where all schedules of a table ask for as many.
std::optional<int> threads_asked_for(const RecordedChoices& recorded) {
    if (recorded.choices.empty())
        return std::nullopt;
    const int threads = recorded.choices.front().schedule.threads;
    const bool is_one = std::ranges::all_of(
        recorded.choices, [&](const RecordedChoice& choice) { return choice.schedule.threads == threads; });
    return is_one ? std::optional(threads) : std::nullopt;
}

std::vector<std::string> table_remarks(const TableFailures& failures, bool has_workspace) {
    std::vector<std::string> remarks;
    if (failures.recorded.left_out > 0)
        remarks.push_back(fmt::format(
            "{} left out: a time under a microsecond, or of a run that failed",
            counted(static_cast<std::size_t>(failures.recorded.left_out), "line is", "lines are")));
    if (failures.one_program > 0)
        remarks.push_back(fmt::format(
            "{} no case: the schedule comes down to fixed CSR itself (the same loops, storage and shares of "
            "threads), so noise or the code that others generate tells them apart",
            counted(static_cast<std::size_t>(failures.one_program), "slower line is", "slower lines are")));
    remarks.push_back(
        fmt::format("where no pattern is known, blame says what goes along with losing in this table, where "
                    "decisions explain {:.0f} % of how times differ from fixed CSR",
                    100 * failures.explained));
    if (const auto threads = threads_asked_for(failures.recorded))
        remarks.push_back(
            fmt::format("these schedules ask for {} in their lines; how many ran the table does not say",
                        counted(static_cast<std::size_t>(*threads), "thread", "threads")));
    if (!has_workspace)
        remarks.emplace_back("no pattern is known here: with a workspace that has the matrices, failures "
                             "are told by the family of the pattern and simulated");
    if (failures.simulated && failures.simulated->stands_in)
        remarks.push_back(stand_in_sentence(*failures.simulated, {}));
    return remarks;
}

Result<FailuresAnswer> recorded_failures(const WorkspaceLocation& location,
                                         const SparseFailuresRequest& request, Observer& observer,
                                         const std::stop_token& stop) {
    auto machine = machine_to_simulate(location, request);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    std::optional<Workspace> workspace;
    if (location.is_expected()) {
        auto opened = location.open(WorkspaceAccess::Read);
        if (!opened)
            return std::unexpected(std::move(opened).error());
        workspace = std::move(*opened);
    }
    auto failures = read_table_failures(workspace ? &*workspace : nullptr,
                                        {.file = request.recorded,
                                         .op = request.setting.op,
                                         .dense = dense_index(request.setting.op) ? request.setting.dense : 1,
                                         .noise = request.recorded_noise,
                                         .machine = std::move(*machine),
                                         .threads = available_threads(),
                                         .seed = request.seed,
                                         .stop = stop,
                                         .progress = observer.sink()});
    if (!failures)
        return std::unexpected(std::move(failures).error());
    const std::string name = std::filesystem::path(request.recorded).filename().string();
    FailuresAnswer answer;
    answer.words = sparse_words();
    answer.setting = setting_of(request.setting.op, request.setting.dense);
    answer.setting_members = make_sparse_domain()->members(answer.setting);
    leave_out_absent_dense(answer);
    answer.machine = "the machine of " + name;
    answer.compared = failures->recorded.choices.size();
    answer.remarks = table_remarks(*failures, workspace.has_value());
    answer.sentence = fmt::format("{}, {}; what {} chose beside fixed CSR, recorded elsewhere",
                                  counted(answer.compared, "matrix", "matrices"),
                                  sparsight::name(request.setting.op), name);
    if (failures->simulated) {
        answer.simulated_on = failures->simulated->machine;
        answer.stands_in = failures->simulated->stands_in;
    }
    answer.cases = std::move(failures->cases);
    answer.groups = std::move(failures->groups);
    return answer;
}

} // namespace

Result<FailuresAnswer> answer_sparse_failures(const WorkspaceLocation& location,
                                              const SparseFailuresRequest& request, Observer& observer,
                                              const std::stop_token& stop) {
    if (request.recorded.empty())
        return evaluation_failures(location, request, observer, stop);
    return recorded_failures(location, request, observer, stop);
}

} // namespace sparsight
