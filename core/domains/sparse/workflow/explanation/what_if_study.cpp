#include "domains/sparse/workflow/explanation/what_if_study.h"

#include "base/parallel.h"
#include "base/text.h"
#include "domains/sparse/explanation/measured_clock.h"
#include "domains/sparse/explanation/varied_schedules.h"
#include "domains/sparse/schedule/schedule_space.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/sparse_domain.h"
#include "domains/sparse/workflow/import/named_matrices.h"
#include "machine/machine_edit.h"
#include "workflow/explanation/learned_times.h"
#include "workflow/machines/named_machines.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace sparsight {

namespace {

/// Of every parameter that is another one: "cores 4 → 16".
std::vector<std::string> changes_of(const MachineDescription& before, const MachineDescription& after) {
    const MachineParameters old_values = resolve_parameters(before).values;
    const MachineParameters new_values = resolve_parameters(after).values;
    std::vector<std::string> changes;
    for (const ParameterInfo& info : all_parameters())
        if (old_values[info.parameter] != new_values[info.parameter])
            changes.push_back(fmt::format("{} {:.4g} → {:.4g}{}{}", info.key, old_values[info.parameter],
                                          new_values[info.parameter], info.unit.empty() ? "" : " ",
                                          info.unit));
    return changes;
}

Result<std::optional<Workspace>> workspace_of(const WorkspaceLocation& location) {
    if (!location.is_expected())
        return std::nullopt;
    auto workspace = location.open(WorkspaceAccess::Read);
    if (!workspace)
        return std::unexpected(std::move(workspace.error()));
    return std::move(*workspace);
}

ResultFilter filter_of(const WhatIfRequest& request, const std::string& matrix,
                       const std::string& fingerprint) {
    return {.matrix = matrix,
            .machine = fingerprint,
            .op = request.op,
            .dense = dense_index(request.op) ? request.dense : 1};
}

Result<ScheduleSetRequest> choose(const WhatIfRequest& request, const std::string& matrix,
                                  const NamedMachine& machine, Workspace* workspace) {
    ScheduleSetRequest chosen{request.op, request.dense, {}, request.schedules, request.seed};
    if (!request.from.empty()) {
        auto listed = read_schedules(request.op, request.from);
        if (!listed)
            return std::unexpected(std::move(listed.error()));
        chosen.known = std::move(*listed);
        chosen.count = 0;
        return chosen;
    }
    std::vector<ResultRow> measured;
    if (workspace != nullptr) {
        auto rows = measured_rows(
            *workspace, filter_of(request, matrix, request.measured ? machine.fingerprint : std::string()));
        if (!rows)
            return std::unexpected(std::move(rows.error()));
        measured = std::move(*rows);
    }
    if (!request.measured)
        return varied_schedules(request.op, request.dense, measured, request.schedules, request.seed);
    if (!machine.fingerprint.empty())
        for (const ResultRow& row : measured)
            if (const auto schedule = parse_schedule(row.op, row.schedule))
                chosen.known.push_back(*schedule);
    if (chosen.known.empty())
        return fail(Fault::Input, fmt::format("no schedule of {} was measured with {} on {}: use `collect` "
                                              "or `import-runtimes`, or leave out --measured",
                                              matrix, name(request.op), machine.machine.name));
    chosen.count = 0;
    return chosen;
}

Result<std::vector<std::optional<double>>> recorded_times(Workspace& workspace, const ResultFilter& filter,
                                                          std::span<const SuperSchedule> schedules) {
    const auto times = known_times(workspace, *make_sparse_domain(), filter);
    if (!times)
        return std::unexpected(times.error());
    std::vector<std::optional<double>> recorded;
    for (const SuperSchedule& schedule : schedules) {
        const ResultRecord* const row = times->find(configuration_of(schedule));
        recorded.push_back(row != nullptr && row->status == MeasurementStatus::Measured ? row->median_ms
                                                                                        : std::nullopt);
    }
    return recorded;
}

Result<WinnerMap> draw_map(const WhatIfRequest& request, const WhatIfAnswer& answer,
                           std::span<const ScheduleProfile> profiles, const std::stop_token& stop) {
    MapAxis x = map_axis(answer.machine, request.map->first, request.map_steps);
    MapAxis y = map_axis(answer.machine, request.map->second, request.map_steps);
    return answer.basis
               ? paper_winner_map(answer.machine, std::move(x), std::move(y), answer.basis->milliseconds,
                                  stop)
               : winner_map(answer.machine, std::move(x), std::move(y), profiles, available_threads(), stop);
}

/// A model knows the matrices and the machines of its workspace, as they are.
Result<void> check_model_question(const WhatIfRequest& request, const NamedMachine& machine,
                                  const std::string& matrix, Workspace* workspace) {
    if (request.model.empty())
        return {};
    if (!request.settings.empty())
        return fail(Fault::Input, "a model knows the machine as it is: expected --model without --set");
    if (workspace == nullptr)
        return fail(Fault::Input, "--model is one of a workspace: expected --workspace");
    const auto known = find_matrix(*workspace, matrix);
    if (!known)
        return std::unexpected(known.error());
    if (!*known)
        return fail(Fault::Input, fmt::format("{} is not in the workspace: `import` it first, so that {} "
                                              "can be asked about it",
                                              request.matrix, request.model));
    if (machine.fingerprint.empty() && !request.machine.empty())
        return fail(Fault::Input, fmt::format("{} is not in the workspace: `machine add` it first, so that "
                                              "{} can be asked about it",
                                              request.machine, request.model));
    return {};
}

Result<LearnedRanking> ask_model(const WhatIfRequest& request, const WhatIfAnswer& answer,
                                 const std::string& fingerprint, const Workspace& workspace,
                                 Observer& observer, const std::stop_token& stop) {
    LearnedTimesQuestion question{workspace.path().string(),
                                  request.model,
                                  fingerprint,
                                  setting_of(request.op, dense_index(request.op) ? request.dense : 1),
                                  {}};
    for (const SuperSchedule& schedule : answer.schedules)
        question.pairs.emplace_back(answer.matrix, to_text(schedule));
    auto told = ask_for_learned_times(question, make_sparse_domain()->words(), observer.sink(), stop);
    if (!told)
        return std::unexpected(std::move(told).error());
    return learned_ranking(*std::move(told), answer.schedules.size());
}

} // namespace

Result<LearnedRanking> learned_ranking(PredictedTimes told, std::size_t schedules) {
    if (told.workloads.size() != 1)
        return fail(Fault::Internal, fmt::format("{} was asked about one matrix, and the answer is about {}",
                                                 told.model, told.workloads.size()));
    if (const std::size_t count = told.workloads.front().times.size(); count != schedules)
        return fail(Fault::Internal,
                    fmt::format("{} was asked about {}, and the answer is about {}", told.model,
                                counted(schedules, "schedule", "schedules"), count));
    LearnedRanking learned{std::move(told), {}};
    std::vector<double> milliseconds;
    double lowest = std::numeric_limits<double>::infinity();
    for (const PredictedTime& time : learned.times())
        lowest = std::min(lowest, time.score);
    for (const PredictedTime& time : learned.times())
        milliseconds.push_back(learned.told.tells_times
                                   ? time.learned_ms.value_or(std::numeric_limits<double>::infinity())
                                   : std::exp(time.score - lowest));
    learned.ranking = rank(std::move(milliseconds));
    return learned;
}

Result<std::pair<MachineParameter, MachineParameter>>
parameters_of_map(const std::vector<std::string>& keys) {
    std::vector<MachineParameter> parameters;
    for (const std::string& key : keys) {
        const auto parameter = parse_machine_parameter(key);
        if (!parameter)
            return fail(Fault::Input, fmt::format("--map: there is no parameter '{}': expected two of {}",
                                                  key, fmt::join(parameter_keys(), ", ")));
        parameters.push_back(*parameter);
    }
    if (parameters.size() != 2 || parameters[0] == parameters[1])
        return fail(Fault::Input, "--map: expected two different parameters with a comma between them, as "
                                  "cores,socket_gb_per_s");
    return std::pair(parameters[0], parameters[1]);
}

std::string_view name(WhatIfFormula formula) {
    return formula == WhatIfFormula::Paper ? "paper" : "mechanistic";
}

Result<WhatIfAnswer> answer_what_if(const WorkspaceLocation& location, const WhatIfRequest& request,
                                    Observer& observer, const std::stop_token& stop) {
    const auto matrix = load_named_matrix(location, request.matrix);
    if (!matrix)
        return std::unexpected(matrix.error());
    auto machine =
        request.machine.empty() ? this_named_machine(location) : named_machine(location, request.machine);
    if (!machine)
        return std::unexpected(std::move(machine.error()));
    auto changed = with_settings(machine->machine, request.settings);
    if (!changed)
        return fail(Fault::Input, "--set: " + changed.error().message);
    auto workspace = workspace_of(location);
    if (!workspace)
        return std::unexpected(std::move(workspace.error()));
    Workspace* const opened = *workspace ? &**workspace : nullptr;
    if (auto checked = check_model_question(request, *machine, matrix->name, opened); !checked)
        return std::unexpected(std::move(checked.error()));
    const auto chosen = choose(request, matrix->name, *machine, opened);
    if (!chosen)
        return std::unexpected(chosen.error());
    const ProfiledPattern pattern(matrix->pattern);
    auto set = schedule_set(pattern, *chosen, {available_threads(), stop, observer.sink()});
    if (!set)
        return std::unexpected(std::move(set.error()));

    WhatIfAnswer answer{.matrix = matrix->name,
                        .machine = *changed,
                        .changes = changes_of(machine->machine, *changed),
                        .parameters = resolve_parameters(*changed),
                        .schedules = std::move(set->schedules)};
    const auto threads = static_cast<int>(answer.parameters.values[MachineParameter::Threads]);
    for (SuperSchedule& schedule : answer.schedules)
        schedule.threads = std::min(threads, maximum_threads);
    answer.recorded_ms.resize(answer.schedules.size());
    if (opened != nullptr && !machine->fingerprint.empty()) {
        auto recorded =
            recorded_times(*opened, filter_of(request, matrix->name, machine->fingerprint), answer.schedules);
        if (!recorded)
            return std::unexpected(std::move(recorded.error()));
        answer.recorded_ms = std::move(*recorded);
    }
    if (request.formula == WhatIfFormula::Paper) {
        answer.basis =
            paper_basis(answer.recorded_ms, resolve_parameters(machine->machine).values, set->profiles);
        answer.ranking = rank(scale_by_paper(answer.parameters.values, answer.basis->milliseconds));
    } else {
        answer.parts = simulate(answer.parameters.values, set->profiles);
        answer.ranking = rank(answer.parts);
    }
    if (request.map) {
        auto map = draw_map(request, answer, set->profiles, stop);
        if (!map)
            return std::unexpected(std::move(map.error()));
        answer.map = std::move(*map);
    }
    if (!request.model.empty()) {
        auto learned = ask_model(request, answer, machine->fingerprint, *opened, observer, stop);
        if (!learned)
            return std::unexpected(std::move(learned.error()));
        answer.learned = std::move(*learned);
    }
    return answer;
}

} // namespace sparsight
