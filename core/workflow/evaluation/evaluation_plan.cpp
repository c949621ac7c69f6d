#include "workflow/evaluation/evaluation_plan.h"

#include "base/text.h"
#include "domains/sparse/schedule/text.h"
#include "domains/sparse/storage/matrices.h"
#include "domains/sparse/storage/schedules.h"
#include "store/blend_scope.h"
#include "store/models.h"
#include "study/name_stem.h"
#include "workflow/machines/this_machine.h"
#include "workflow/process/learn_process.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace sparsight {

namespace {

/// Of a description (model/checkpoints/checkpoint.h, whose library is sparsight-learn's) what is needed here.
Json described(const ModelRecord& model) {
    Json json = Json::parse(model.description, nullptr, /*allow_exceptions=*/false);
    return json.is_object() ? json : Json::object();
}

std::optional<Operator> operator_of(const ModelRecord& model) {
    const Json description = described(model);
    const auto input = description.find("input");
    if (input == description.end() || !input->is_object() || !input->contains("operator") ||
        !(*input)["operator"].is_string())
        return std::nullopt;
    return parse_operator((*input)["operator"].get<std::string>());
}

class Planning {
public:
    Planning(Workspace& workspace, const EvaluationRequest& request)
        : workspace_(workspace)
        , request_(request) {}

    Result<EvaluationPlan> run() {
        for (const auto& step : {&Planning::find_models, &Planning::find_machine_of_times,
                                 &Planning::find_setting, &Planning::find_scope, &Planning::find_matrices})
            if (auto done = (this->*step)(); !done)
                return std::unexpected(done.error());
        return std::move(plan_);
    }

private:
    Result<void> find_models() {
        auto all = list_models(workspace_);
        if (!all)
            return std::unexpected(all.error());
        all_models_ = std::move(*all);
        for (const std::string& wanted : request_.models) {
            const auto found = std::ranges::find(all_models_, wanted, &ModelRecord::name);
            if (found == all_models_.end())
                return fail(Fault::Input, fmt::format("the workspace has no model named '{}'", wanted));
            if (std::ranges::find(plan_.models, found->id, &ModelRecord::id) != plan_.models.end())
                continue;
            const auto op = operator_of(*found);
            if (!op)
                return fail(Fault::Input, fmt::format("the description of {} names no operator", wanted));
            if (!plan_.models.empty() && *op != plan_.op)
                return fail(Fault::Input,
                            fmt::format("{} chooses for {} and {} for {}: expected models of one operator",
                                        plan_.models.front().name, name(plan_.op), wanted, name(*op)));
            plan_.op = *op;
            plan_.models.push_back(*found);
        }
        if (plan_.models.empty())
            return fail(Fault::Input, "expected one model at least (--models)");
        return {};
    }

    Result<void> find_scope() {
        for (const ModelRecord& model : plan_.models)
            if (auto elsewhere = blend_scope_remark(model, plan_.machine.name, plan_.dense))
                plan_.remarks.push_back(*std::move(elsewhere));
        return {};
    }

    Result<void> find_machine_of_times() {
        if (!request_.machine.empty()) {
            const auto found = find_machine(workspace_, request_.machine);
            if (!found)
                return std::unexpected(found.error());
            if (!*found)
                return fail(Fault::Input,
                            fmt::format("the workspace has no machine named '{}'", request_.machine));
            const auto facts = describe_this_machine();
            plan_.is_measured = facts && facts->fingerprint() == (*found)->fingerprint;
            plan_.machine = **found;
            return {};
        }
        auto machine = this_machine(workspace_);
        if (!machine)
            return std::unexpected(machine.error());
        plan_.machine = std::move(*machine);
        return {};
    }

    Result<void> find_setting() {
        plan_.dense = plan_.op == Operator::SpMV ? 1 : request_.measuring.dense;
        if (plan_.is_measured) {
            plan_.protocol = name(request_.measuring.protocol);
            plan_.threads = request_.measuring.threads;
            return {};
        }
        const auto sources = runtime_sources(workspace_, plan_.op, plan_.dense);
        if (!sources)
            return std::unexpected(sources.error());
        const auto found = std::ranges::find(
            *sources, plan_.machine.id, [](const CountedSource& counted) { return counted.source.machine; });
        if (found == sources->end())
            return fail(Fault::Input, fmt::format("{} has no times of {} with dense extent {}",
                                                  plan_.machine.name, name(plan_.op), plan_.dense));
        plan_.protocol = found->source.protocol;
        plan_.threads = found->source.threads;
        return {};
    }

    Result<void> find_matrices() {
        const auto all = list_matrices(workspace_);
        if (!all)
            return std::unexpected(all.error());
        const auto lineage = ModelLineage::read(workspace_);
        if (!lineage)
            return std::unexpected(lineage.error());
        // By their stems: a transposed or resized form is no news to a model.
        std::vector<ModelId> models;
        std::set<std::string> seen;
        for (const ModelRecord& model : plan_.models) {
            models.push_back(model.id);
            for (const std::string& name : lineage->learned_from(model.id))
                seen.insert(name_stem(name));
            const auto validated = lineage->validated_with(workspace_, model.id);
            if (!validated)
                return std::unexpected(validated.error());
            for (const std::string& name : *validated)
                seen.insert(name_stem(name));
        }
        if (auto chosen = choose(*all, seen); !chosen)
            return chosen;
        std::vector<std::string> names;
        for (const MatrixRecord& matrix : plan_.matrices)
            names.push_back(matrix.name);
        plan_.trained = training_matrices_among(*lineage, models, names);
        return {};
    }

    Result<void> choose(const std::vector<MatrixRecord>& all, const std::set<std::string>& seen) {
        if (!request_.split.empty())
            return choose_split(all);
        if (!request_.matrices.empty())
            return choose_named(all);
        const auto timed = timed_matrices();
        if (!timed)
            return std::unexpected(timed.error());
        for (const MatrixRecord& matrix : all)
            if (matrix.pattern != PayloadPlace::Unknown && !seen.contains(name_stem(matrix.name)) &&
                (plan_.is_measured || timed->contains(matrix.name)))
                plan_.matrices.push_back(matrix);
        if (plan_.matrices.empty())
            return fail(Fault::Input, "there is no matrix to evaluate on that the models were not trained "
                                      "or validated with: import or simulate one, or name some (--matrices)");
        return {};
    }

    /// That fixed CSR has a time of on the machine that is looked up.
    Result<std::set<std::string>> timed_matrices() {
        std::set<std::string> timed;
        if (plan_.is_measured)
            return timed;
        const auto rows = list_results(workspace_, {"", plan_.machine.fingerprint, plan_.op, plan_.dense,
                                                    plan_.protocol, plan_.threads});
        if (!rows)
            return std::unexpected(rows.error());
        for (const ResultRow& row : *rows)
            if (row.is_fixed_csr && row.status == MeasurementStatus::Measured)
                timed.insert(row.matrix);
        return timed;
    }

    Result<void> choose_split(const std::vector<MatrixRecord>& all) {
        const auto split = find_split(workspace_, request_.split);
        if (!split)
            return std::unexpected(split.error());
        if (!*split)
            return fail(Fault::Input, fmt::format("the workspace has no split named '{}'", request_.split));
        for (const WorkloadId id : (**split)[SplitPart::Test])
            if (const auto found = std::ranges::find(all, id, &MatrixRecord::id); found != all.end())
                plan_.matrices.push_back(*found);
        if (plan_.matrices.empty())
            return fail(Fault::Input, fmt::format("the test part of the split {} is empty", request_.split));
        return {};
    }

    Result<void> choose_named(const std::vector<MatrixRecord>& all) {
        std::vector<std::string> unknown;
        std::set<std::string> seen;
        for (const std::string& wanted : request_.matrices) {
            if (!seen.insert(wanted).second)
                continue;
            if (const auto found = std::ranges::find(all, wanted, &MatrixRecord::name); found != all.end())
                plan_.matrices.push_back(*found);
            else
                unknown.push_back(wanted);
        }
        if (!unknown.empty())
            return fail(Fault::Input,
                        fmt::format("the workspace has no matrix named '{}'", fmt::join(unknown, "', '")));
        return {};
    }

    Workspace& workspace_;
    const EvaluationRequest& request_;
    std::vector<ModelRecord> all_models_;
    EvaluationPlan plan_;
};

} // namespace

Result<EvaluationPlan> plan_evaluation(Workspace& workspace, const EvaluationRequest& request) {
    return Planning(workspace, request).run();
}

std::string parameters_of(const EvaluationPlan& plan, const EvaluationRequest& request, std::uint64_t seed) {
    Json models = Json::array();
    Json ids = Json::array(); // a model that was trained anew under its name is another one
    for (const ModelRecord& model : plan.models) {
        models.push_back(model.name);
        ids.push_back(static_cast<std::int64_t>(model.id));
    }
    Json matrices = Json::array();
    for (const MatrixRecord& matrix : plan.matrices)
        matrices.push_back(matrix.name);
    const Json parameters{{"models", models},
                          {"model_ids", ids},
                          {"matrices", matrices},
                          {"k", request.k},
                          {"method", request.method},
                          {"scored", request.scored ? Json(*request.scored) : Json()},
                          {"machine", plan.machine.fingerprint},
                          {"operator", name(plan.op)},
                          {"dense", plan.dense},
                          {"protocol", plan.protocol},
                          {"threads", plan.threads ? Json(*plan.threads) : Json()},
                          {"seed", seed}};
    return parameters.dump(-1, ' ', false, Json::error_handler_t::replace);
}

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
    observer_.progress({.stage = what, .total = matrices});
    std::uint64_t done = 0;
    Result<void> stored;
    const auto end = follow_learner(
        {.workspace = workspace_.path().string(), .seed = request_.seed}, std::move(arguments),
        [&](const Json& event) {
            if (event.value("event", "") == "failure")
                unsearched_[event.value("matrix", "")] = event.value("error", "");
            if (!stored || event.value("event", "") != "choice")
                return;
            stored = store(run, model, event);
            observer_.progress({.stage = what, .done = ++done, .total = matrices});
        },
        stop_);
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
    observer_.event("choice", {{"model", model.name}, {"matrix", of}, {"candidates", chosen->size()}});
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
