#include "cli/evaluation_choices.h"

#include "base/plural.h"
#include "cli/learner_child.h"
#include "schedule/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace sparsight {

namespace {

Error foreign_answer(std::string_view what) {
    return {Fault::Internal, fmt::format("sparsight-learn gave an answer without {}", what), {}, 0};
}

Result<std::vector<ChosenSchedule>> read_candidates(const Json& matrix, Operator op) {
    const auto candidates = matrix.find("candidates");
    if (candidates == matrix.end() || !candidates->is_array())
        return std::unexpected(foreign_answer("candidates"));
    std::vector<ChosenSchedule> chosen;
    for (const Json& candidate : *candidates) {
        if (!candidate.is_object() || !candidate.contains("schedule") || !candidate["schedule"].is_string())
            return std::unexpected(foreign_answer("a schedule"));
        auto schedule = parse_schedule(op, candidate["schedule"].get<std::string>());
        if (!schedule)
            return std::unexpected(std::move(schedule).error());
        const auto score = candidate.find("score");
        chosen.push_back({*schedule, score != candidate.end() && score->is_number()
                                         ? score->get<double>()
                                         : std::numeric_limits<double>::quiet_NaN()});
    }
    return chosen;
}

} // namespace

Result<void> EvaluationChoices::choose(RunId run) {
    for (const ModelRecord& model : plan_.models)
        if (auto chosen = choose(run, model); !chosen)
            return chosen;
    return {};
}

Result<void> EvaluationChoices::choose(RunId run, const ModelRecord& model) {
    std::vector<std::string> arguments{"search", "--model", model.name, "--k", fmt::format("{}", request_.k)};
    std::size_t missing = 0;
    for (const MatrixRecord& matrix : plan_.matrices) {
        const auto chosen = list_choices(workspace_, run, model.id, matrix.id);
        if (!chosen)
            return std::unexpected(chosen.error());
        chosen_.emplace(std::pair(model.id, matrix.id), *chosen);
        if (!chosen->empty())
            continue;
        arguments.insert(arguments.end(), {"--matrix", matrix.name});
        ++missing;
    }
    if (missing == 0)
        return {};
    arguments.insert(arguments.end(), {"--machine", plan_.machine.fingerprint});
    if (!request_.method.empty())
        arguments.insert(arguments.end(), {"--method", request_.method});
    if (request_.scored)
        arguments.insert(arguments.end(), {"--budget", fmt::format("{}", *request_.scored)});
    if (plan_.op != Operator::SpMV)
        arguments.insert(arguments.end(), {"--dense", fmt::format("{}", plan_.dense)});
    return follow(run, model, std::move(arguments), missing);
}

/// What is chosen for a matrix is stored when it is told: stopped, the search goes on behind it.
Result<void> EvaluationChoices::follow(RunId run, const ModelRecord& model,
                                       std::vector<std::string> arguments, std::size_t matrices) {
    const std::string what =
        fmt::format("{} chooses for {}", model.name, counted(matrices, "matrix", "matrices"));
    events_.progress(what, 0, matrices);
    display_.show({.what = what, .done = 0, .total = matrices, .left = {}});
    std::uint64_t done = 0;
    Result<void> stored;
    const auto end = follow_learner(
        session_, std::move(arguments),
        [&](const Json& event) {
            if (event.value("event", "") == "failure")
                unsearched_[event.value("matrix", "")] = event.value("error", "");
            if (!stored || event.value("event", "") != "choice")
                return;
            stored = store(run, model, event);
            events_.progress(what, ++done, matrices);
            display_.show({.what = what, .done = done, .total = matrices, .left = {}});
        },
        stop_);
    display_.clear();
    if (!stored)
        return stored;
    if (!end)
        return std::unexpected(end.error());
    return {};
}

Result<void> EvaluationChoices::store(RunId run, const ModelRecord& model, const Json& choice) {
    const std::string of = choice.value("matrix", "");
    const auto matrix = std::ranges::find(plan_.matrices, of, &MatrixRecord::name);
    if (matrix == plan_.matrices.end())
        return {};
    auto chosen = read_candidates(choice, plan_.op);
    if (!chosen)
        return std::unexpected(chosen.error());
    if (auto stored = record_choices(workspace_, run, model.id, matrix->id, *chosen); !stored)
        return stored;
    events_.tell("choice", {{"model", model.name}, {"matrix", of}, {"candidates", chosen->size()}});
    chosen_[{model.id, matrix->id}] = std::move(*chosen);
    return {};
}

SchedulesByMatrix EvaluationChoices::schedules() const {
    SchedulesByMatrix chosen;
    for (const MatrixRecord& matrix : plan_.matrices) {
        std::vector<SuperSchedule>& schedules = chosen.schedules[matrix.name];
        std::size_t most = 0;
        for (const ModelRecord& model : plan_.models)
            most = std::max(most, chosen_.at({model.id, matrix.id}).size());
        for (std::size_t rank = 0; rank < most; ++rank)
            for (const ModelRecord& model : plan_.models)
                if (const auto& own = chosen_.at({model.id, matrix.id}); rank < own.size())
                    schedules.push_back(own[rank].schedule);
    }
    return chosen;
}

} // namespace sparsight
