#include "workflow/evaluation/evaluation_plan.h"

#include "base/names.h"
#include "store/measurements.h"
#include "store/results.h"
#include "store/workload_families.h"
#include "workflow/machines/collection_job.h"
#include "workflow/machines/named_machines.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace sparsight {

namespace {

std::optional<std::string> text_of(const Json& value) {
    if (value.is_string())
        return value.get<std::string>();
    return value.is_number_integer() ? std::optional(fmt::to_string(value.get<std::int64_t>()))
                                     : std::nullopt;
}

/// What is needed here of a description (model/checkpoints/checkpoint.h, whose library is sparsight-learn's).
Json description_of(const ModelRecord& model) {
    Json json = Json::parse(model.description, nullptr, /*allow_exceptions=*/false);
    return json.is_object() ? json : Json::object();
}

class Planning {
public:
    Planning(Workspace& workspace, const DomainRegistry& domains, const MeasuringDomains& measuring,
             const EvaluationRequest& request)
        : workspace_(workspace)
        , domains_(domains)
        , measuring_(measuring)
        , request_(request) {}

    Result<EvaluationPlan> run() {
        for (const auto& step : {&Planning::find_models, &Planning::find_domain, &Planning::find_setting,
                                 &Planning::find_machine_of_times, &Planning::find_source,
                                 &Planning::find_remarks, &Planning::find_workloads})
            if (auto done = (this->*step)(); !done)
                return std::unexpected(done.error());
        return std::move(plan_);
    }

private:
    [[nodiscard]] const Noun& noun() const { return plan_.domain->words().workload; }

    Result<void> find_models() {
        for (const std::string& wanted : request_.models) {
            auto found = require_model(workspace_, wanted);
            if (!found)
                return std::unexpected(std::move(found).error());
            if (std::ranges::find(plan_.models, found->id, &ModelRecord::id) == plan_.models.end())
                plan_.models.push_back(*std::move(found));
        }
        if (plan_.models.empty())
            return fail(Fault::Input, "expected one model at least (--models)");
        return {};
    }

    /// That of the models; what was made before there were several domains says none.
    Result<void> find_domain() {
        std::string name = request_.setting.domain;
        for (const ModelRecord& model : plan_.models) {
            const Json description = description_of(model);
            const auto said = description.find("domain");
            if (said == description.end() || !said->is_string())
                continue;
            if (!name.empty() && name != said->get<std::string>())
                return fail(Fault::Input, fmt::format("{} chooses in the domain {}: expected models of {}",
                                                      model.name, said->get<std::string>(), name));
            name = said->get<std::string>();
        }
        const auto domain = choose_domain(workspace_, domains_, name);
        if (!domain)
            return std::unexpected(domain.error());
        plan_.domain = *domain;
        return {};
    }

    /// Parts of the setting that a model says.
    [[nodiscard]] SettingOptions options_of(const ModelRecord& model) const {
        SettingOptions options;
        const Json description = description_of(model);
        const auto input = description.find("input");
        if (input == description.end() || !input->is_object())
            return options;
        Json parts = *input;
        if (const auto whole = input->find("setting"); whole != input->end() && whole->is_string())
            if (const auto setting = plan_.domain->parse_setting(whole->get<std::string>()))
                parts = setting_json(*plan_.domain, *setting);
        for (const SettingOption& option : plan_.domain->setting_options())
            if (const auto said = parts.find(option.name); said != parts.end())
                if (auto text = text_of(*said))
                    options.emplace(option.name, *std::move(text));
        return options;
    }

    Result<void> find_setting() {
        SettingChoice choice = request_.setting;
        choice.domain = plan_.domain->name();
        const ModelRecord& first = plan_.models.front();
        const SettingOptions options = options_of(first);
        for (const ModelRecord& model : plan_.models)
            for (const auto& [option, value] : options_of(model))
                if (const auto of_first = options.find(option);
                    of_first != options.end() && of_first->second != value)
                    return fail(Fault::Input,
                                fmt::format("{} chooses for {} and {} for {}: expected models of one {}",
                                            first.name, of_first->second, model.name, value, option));
        for (const auto& [option, value] : options) {
            const auto given = choice.options.find(option);
            if (given != choice.options.end() && given->second != value)
                return fail(Fault::Input,
                            fmt::format("{} chooses for {}, and --{} asks for {}: expected the same",
                                        first.name, value, option, given->second));
        }
        if (choice.text.empty())
            choice.options.insert(options.begin(), options.end());
        const auto chosen = choose_setting(workspace_, domains_, choice);
        if (!chosen)
            return std::unexpected(chosen.error());
        plan_.setting = chosen->setting;
        for (const SettingMember& member : plan_.domain->members(plan_.setting))
            if (const auto said = options.find(member.key); said != options.end())
                if (const auto* const text = std::get_if<std::string>(&member.value);
                    text != nullptr && *text != said->second)
                    return fail(Fault::Input, fmt::format("{} chooses for {}: expected a setting of it",
                                                          first.name, said->second));
        return {};
    }

    Result<void> find_machine_of_times() {
        plan_.measuring = measuring_.find(plan_.domain->name());
        if (request_.machine.empty()) {
            if (plan_.measuring == nullptr)
                return only_machine_with_times();
            auto machine = this_machine(workspace_);
            if (!machine)
                return std::unexpected(machine.error());
            plan_.machine = std::move(*machine);
            return {};
        }
        auto found = find_named_machine(workspace_, request_.machine);
        const std::size_t bracket = request_.machine.rfind(" (");
        if (found && !*found && bracket != std::string::npos && request_.machine.ends_with(')')) {
            found = find_named_machine(workspace_, request_.machine.substr(0, bracket));
            condition_ = request_.machine.substr(bracket + 2);
            condition_->pop_back();
        }
        if (!found)
            return std::unexpected(found.error());
        if (!*found)
            return unknown_machine(workspace_, request_.machine);
        plan_.machine = **found;
        const auto facts = describe_this_machine();
        if (!facts || facts->fingerprint() != plan_.machine.fingerprint)
            plan_.measuring = nullptr;
        return {};
    }

    Result<void> only_machine_with_times() {
        const auto sources = count_runtimes(workspace_, plan_.setting);
        const auto machines = list_machines(workspace_);
        if (!sources || !machines)
            return std::unexpected((sources ? machines.error() : sources.error()));
        std::vector<std::string> names;
        for (const MachineRecord& machine : *machines)
            if (std::ranges::any_of(*sources, [&](const CountedRuntimes& each) {
                    return each.query.machine == machine.id;
                })) {
                names.push_back(machine.name);
                plan_.machine = machine;
            }
        if (names.size() == 1)
            return {};
        return fail(Fault::Input, names.empty()
                                      ? fmt::format("the workspace has no times of {}",
                                                    plan_.domain->describe(plan_.setting))
                                      : fmt::format("times are known of {} machines: expected one of them "
                                                    "(--machine): {}",
                                                    names.size(), list_names(names)));
    }

    /// Whether the times that are missing can be made: as those that are there, if any are.
    bool find_simulating(const RuntimeQuery* stored) {
        if (condition_)
            return false;
        for (const SimulatingDomain* const domain : request_.simulating) {
            const auto made =
                domain->name() == plan_.domain->name() ? domain->conditions(plan_.machine) : std::nullopt;
            if (!made || (stored != nullptr && (stored->protocol != made->protocol ||
                                                (made->threads && stored->threads != *made->threads))))
                continue;
            plan_.simulating = domain;
            plan_.protocol = made->protocol;
            plan_.threads = made->threads;
            return true;
        }
        return false;
    }

    Result<void> find_source() {
        if (plan_.measuring != nullptr) {
            plan_.protocol = name(request_.measuring.protocol);
            plan_.threads = plan_.measuring->stored_threads(request_.measuring.threads);
            return {};
        }
        const auto sources = count_runtimes(workspace_, plan_.setting);
        if (!sources)
            return std::unexpected(sources.error());
        const auto found = std::ranges::find_if(*sources, [&](const CountedRuntimes& counted) {
            return counted.query.machine == plan_.machine.id &&
                   (!condition_ || counted.query.condition == *condition_);
        });
        std::set<std::string> conditions;
        for (const CountedRuntimes& counted : *sources)
            if (counted.query.machine == plan_.machine.id)
                conditions.insert(counted.query.condition);
        if (find_simulating(found == sources->end() ? nullptr : &found->query))
            return {};
        if (found == sources->end())
            return fail(Fault::Input,
                        fmt::format("{} has no times of {}{}{}", plan_.machine.name,
                                    plan_.domain->describe(plan_.setting),
                                    condition_ ? fmt::format(" with {}", *condition_) : "",
                                    conditions.empty() ? "" : ": expected " + named_with(conditions)));
        if (!condition_ && conditions.size() > 1) {
            const std::string taken = found->query.condition;
            conditions.erase(taken);
            plan_.remarks.push_back(
                fmt::format("the times are those of {}, which has the most; --machine can "
                            "also name {}",
                            named_with({taken}), named_with(conditions)));
        }
        plan_.protocol = found->query.protocol;
        plan_.condition = found->query.condition;
        plan_.threads = found->query.threads;
        return {};
    }

    /// "A100 (run=2021), A100 (run=2022)": as --machine takes them.
    [[nodiscard]] std::string named_with(const std::set<std::string>& conditions) const {
        std::vector<std::string> names;
        for (const std::string& condition : conditions)
            names.push_back(condition.empty() ? name_in_list(plan_.machine.name)
                                              : fmt::format("'{} ({})'", plan_.machine.name, condition));
        return fmt::format("{}", fmt::join(names, ", "));
    }

    Result<void> find_remarks() {
        for (const ModelRecord& model : plan_.models)
            if (auto elsewhere =
                    blend_scope_remark(model, plan_.machine.name, plan_.domain->members(plan_.setting)))
                plan_.remarks.push_back(*std::move(elsewhere));
        return {};
    }

    Result<void> find_workloads() {
        const auto all = list_workloads(workspace_, plan_.domain->name());
        if (!all)
            return std::unexpected(all.error());
        const auto lineage = ModelLineage::read(workspace_);
        if (!lineage)
            return std::unexpected(lineage.error());
        StatisticsReader read_statistics;
        if (const MeasuringDomain* const measuring = measuring_.find(plan_.domain->name()))
            read_statistics = [this, measuring](const WorkloadRecord& workload) {
                return measuring->statistics(workspace_, workload);
            };
        const auto families = WorkloadFamilies::read(workspace_, *plan_.domain, std::move(read_statistics));
        if (!families)
            return std::unexpected(families.error());
        // By their families: a renamed, transposed or resized form of a workload is no news to a model.
        std::vector<ModelId> models;
        std::set<std::string> seen;
        for (const ModelRecord& model : plan_.models) {
            models.push_back(model.id);
            auto by_model = lineage->seen_by(workspace_, model.id);
            if (!by_model)
                return std::unexpected(std::move(by_model).error());
            seen.merge(*by_model);
        }
        if (auto chosen = choose(*all, families->with_relatives(seen)); !chosen)
            return chosen;
        std::vector<std::string> names;
        for (const WorkloadRecord& workload : plan_.workloads)
            names.push_back(workload.name);
        plan_.trained = training_workloads_among(*lineage, models, names, *families);
        return {};
    }

    Result<void> choose(const std::vector<WorkloadRecord>& all, const std::set<std::string>& seen) {
        if (!request_.split.empty())
            return choose_split(all);
        if (!request_.workloads.empty())
            return choose_named(all);
        const auto timed = timed_workloads();
        if (!timed)
            return std::unexpected(timed.error());
        std::vector<WorkloadRecord> known;
        const bool are_times_made = plan_.measuring != nullptr || plan_.simulating != nullptr;
        for (const WorkloadRecord& workload : all)
            if ((are_times_made || timed->contains(workload.name)) && is_searchable(workload))
                known.push_back(workload);
        for (const WorkloadRecord& workload : known)
            if (!seen.contains(workload.name))
                plan_.workloads.push_back(workload);
        // Models that learned on other machines are asked for a new machine, not for new workloads.
        if (plan_.workloads.empty() &&
            (measuring_.find(plan_.domain->name()) == nullptr || are_asked_for_machine()))
            plan_.workloads = std::move(known);
        if (plan_.workloads.empty())
            return fail(Fault::Input, fmt::format("every {} was used in training or validation: import or "
                                                  "simulate a new one, or name some (--{})",
                                                  noun().one, noun().many));
        return {};
    }

    /// Whether machines were held out from each model, and this one is none of those that it learned on.
    [[nodiscard]] bool are_asked_for_machine() const {
        return std::ranges::all_of(plan_.models, [&](const ModelRecord& model) {
            const Json description = description_of(model);
            const Json::json_pointer split_by("/training/settings/split_by");
            const Json::json_pointer machines("/training/machines");
            if (!description.is_object() || !description.contains(split_by) ||
                description[split_by] != "machine" || !description.contains(machines))
                return false;
            return std::ranges::none_of(description[machines], [&](const Json& machine) {
                return machine.is_string() &&
                       (machine == plan_.machine.name ||
                        machine.get<std::string>().starts_with(plan_.machine.name + " ("));
            });
        });
    }

    /// In a domain whose workloads have data, a model can't choose without it.
    [[nodiscard]] bool is_searchable(const WorkloadRecord& workload) const {
        return measuring_.find(plan_.domain->name()) == nullptr || !workload.known.content_hash.empty();
    }

    /// That the baseline, or without one anything, has a time of on the machine that is looked up.
    Result<std::set<std::string>> timed_workloads() {
        std::set<std::string> timed;
        if (plan_.measuring != nullptr)
            return timed;
        const auto rows = list_results(workspace_, ResultQuery{.domain = plan_.setting.domain,
                                                               .machine = plan_.machine.fingerprint,
                                                               .setting = plan_.setting.text,
                                                               .protocol = plan_.protocol,
                                                               .threads = plan_.threads,
                                                               .condition = plan_.condition});
        if (!rows)
            return std::unexpected(rows.error());
        const bool has_baseline = plan_.domain->words().baseline.has_value();
        for (const ResultRecord& row : *rows)
            if ((row.is_baseline || !has_baseline) && row.status == MeasurementStatus::Measured)
                timed.insert(row.workload);
        return timed;
    }

    Result<void> choose_split(const std::vector<WorkloadRecord>& all) {
        const auto split = find_split(workspace_, request_.split);
        if (!split)
            return std::unexpected(split.error());
        if (!*split)
            return fail(Fault::Input, fmt::format("the workspace has no split named '{}'", request_.split));
        for (const WorkloadId id : (**split)[SplitPart::Test])
            if (const auto found = std::ranges::find(all, id, &WorkloadRecord::id); found != all.end())
                plan_.workloads.push_back(*found);
        if (plan_.workloads.empty())
            return fail(Fault::Input, fmt::format("the test part of the split {} is empty", request_.split));
        return {};
    }

    Result<void> choose_named(const std::vector<WorkloadRecord>& all) {
        std::vector<std::string> unknown;
        std::set<std::string> named;
        for (const std::string& wanted : request_.workloads) {
            if (!named.insert(wanted).second)
                continue;
            if (const auto found = std::ranges::find(all, wanted, &WorkloadRecord::name); found != all.end())
                plan_.workloads.push_back(*found);
            else
                unknown.push_back(wanted);
        }
        if (!unknown.empty())
            return fail(Fault::Input, fmt::format("the workspace has no {} named '{}'", noun().one,
                                                  fmt::join(unknown, "', '")));
        return {};
    }

    Workspace& workspace_;
    const DomainRegistry& domains_;
    const MeasuringDomains& measuring_;
    const EvaluationRequest& request_;
    std::optional<std::string> condition_; ///< of the runs on the machine, where it is named
    EvaluationPlan plan_;
};

} // namespace

Result<EvaluationPlan> plan_evaluation(Workspace& workspace, const DomainRegistry& domains,
                                       const MeasuringDomains& measuring, const EvaluationRequest& request) {
    return Planning(workspace, domains, measuring, request).run();
}

Json parameters_of(const EvaluationPlan& plan, const EvaluationRequest& request, std::uint64_t seed) {
    Json models = Json::array();
    Json ids = Json::array(); // a model that was trained anew under its name is another one
    for (const ModelRecord& model : plan.models) {
        models.push_back(model.name);
        ids.push_back(static_cast<std::int64_t>(model.id));
    }
    Json workloads = Json::array();
    for (const WorkloadRecord& workload : plan.workloads)
        workloads.push_back(workload.name);
    Json parameters{{"models", models},
                    {"model_ids", ids},
                    {"matrices", workloads}, // as every version has called them
                    {"k", request.k},
                    {"method", request.method},
                    {"scored", request.scored ? Json(*request.scored) : Json()},
                    {"machine", plan.machine.fingerprint},
                    {"domain", plan.domain->name()}};
    parameters.update(setting_json(*plan.domain, plan.setting));
    parameters.update({{"protocol", plan.protocol},
                       {"threads", plan.threads ? Json(*plan.threads) : Json()},
                       {"seed", seed}});
    if (!plan.condition.empty())
        parameters["condition"] = plan.condition;
    if (request.method.empty() && plan.domain->chooses_among_recorded())
        parameters["pool"] = "recorded"; // before, it was what was recorded on whatever machine
    return parameters;
}

} // namespace sparsight
