#include "workflow/learning/search/search_job.h"

#include "model/tensors/torch_runtime.h"
#include "search/graph_walk.h"
#include "store/choices.h"
#include "store/models.h"
#include "store/results.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/search/configuration_pool.h"
#include "workflow/learning/search/model_search.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

namespace sparsight {

namespace {

Result<std::vector<WorkloadRecord>> named_workloads(Workspace& workspace, const Domain& domain,
                                                    std::span<const std::string> names) {
    std::vector<WorkloadRecord> records;
    for (const std::string& name : names) {
        auto record = find_workload(workspace, domain.name(), name);
        if (!record)
            return std::unexpected(std::move(record).error());
        if (!*record)
            return fail(Fault::Input,
                        fmt::format("the workspace has no {} '{}'", domain.words().workload.one, name));
        records.push_back(**std::move(record));
    }
    return records;
}

/// One search, from when all that it needs is known to be there.
class SearchJob {
public:
    SearchJob(Workspace& workspace, StoredModel model, Setting setting, const SearchRequest& request,
              Observer& observer, std::stop_token stop)
        : workspace_(workspace)
        , model_(std::move(model))
        , domain_(model_.domain->domain())
        , setting_(std::move(setting))
        , storage_(model_.domain->task_storage(workspace))
        , request_(request)
        , observer_(observer)
        , stop_(std::move(stop)) {}

    [[nodiscard]] Result<SearchOutcome> run(const std::function<void(const SearchOutcome&)>& on_choice) {
        const auto workloads = named_workloads(workspace_, domain_, request_.workloads);
        if (!workloads)
            return std::unexpected(workloads.error());
        auto codec = domain_.codec(setting_);
        if (!codec)
            return std::unexpected(std::move(codec).error());
        codec_ = *std::move(codec);
        auto machine = search_target(workspace_, request_.machine, setting_);
        if (!machine)
            return std::unexpected(std::move(machine).error());
        machine_ = *std::move(machine);
        if (auto checked = check_description(model_, machine_.description); !checked)
            return std::unexpected(std::move(checked).error());
        if (const auto elsewhere =
                blend_scope_remark(model_.record, machine_.name, domain_.members(setting_)))
            observer_.remark(*elsewhere);
        const auto settings = choice_settings(workloads->size());
        if (!settings)
            return std::unexpected(settings.error());
        observer_.start({{"model", request_.model},
                         {domain_.words().workload.many, workloads->size()},
                         {"method", name(settings->method)}});
        if (auto prepared = prepare(*settings); !prepared)
            return std::unexpected(std::move(prepared).error());
        SearchOutcome outcome{request_.model, &domain_, setting_, codec_};
        for (const WorkloadRecord& workload : *workloads) {
            auto chosen = choose(workload, *settings);
            if (chosen) {
                auto recorded = recorded_times(workload, *chosen);
                if (!recorded)
                    return std::unexpected(std::move(recorded).error());
                outcome.workloads.push_back({workload.name, *std::move(chosen), *std::move(recorded)});
                on_choice(outcome);
            } else if (chosen.error().fault == Fault::Cancelled) {
                return std::unexpected(std::move(chosen).error());
            } else {
                tell_failure(workload, chosen.error());
                outcome.failures.push_back({workload.name, chosen.error().text()});
            }
        }
        return outcome;
    }

private:
    [[nodiscard]] Result<ChoiceSettings> choice_settings(std::size_t workloads) const {
        ChoiceSettings settings = request_.choice;
        choose_method(settings, workloads);
        settings.seed = request_.seed;
        settings.run_threads = machine_.threads;
        settings.configurations = domain_.words().configuration.many;
        if (settings.method != ChoiceMethod::Recorded)
            return settings;
        if (!machine_.recorded)
            return fail(Fault::Input,
                        fmt::format("--method recorded needs a --machine that has runtimes of {}",
                                    domain_.describe(setting_)));
        settings.run_threads = machine_.recorded->threads;
        return settings;
    }

    /// What is asked for; else what suits domain and machine, and of the pool the sooner way. A map is to
    /// show a walk.
    void choose_method(ChoiceSettings& settings, std::size_t workloads) const {
        if (request_.method) {
            settings.method = *request_.method;
        } else if (domain_.chooses_among_recorded()) {
            settings.method = settings.mapped ? ChoiceMethod::Index : ChoiceMethod::Exhaustive;
        } else if (machine_.is_recorded && machine_.recorded) {
            settings.method = ChoiceMethod::Recorded;
        } else {
            // The largest pool that there may be is where a walk gains most.
            const bool walks =
                settings.mapped || is_graph_search_faster({.configurations = PoolRequest{}.largest,
                                                           .width = static_cast<std::size_t>(settings.width),
                                                           .queries = workloads});
            settings.method = walks ? ChoiceMethod::Index : ChoiceMethod::Exhaustive;
            settings.instead_of_walk = !walks;
        }
    }

    /// What a table has no time of on this machine can't be run there. A workload that it has none of is
    /// chosen for among all.
    [[nodiscard]] bool prefers_recorded() const {
        return !request_.method && domain_.chooses_among_recorded() && machine_.is_recorded &&
               machine_.recorded;
    }

    void tell_failure(const WorkloadRecord& workload, const Error& error) {
        observer_.complain(
            {error.fault, fmt::format("{}: {}", workload.name, error.message), error.file, error.line});
        observer_.event("failure", {{domain_.words().workload.one, workload.name}, {"error", error.text()}});
    }

    /// What is the same for all workloads.
    [[nodiscard]] Result<void> prepare(const ChoiceSettings& settings) {
        auto stored = storage_->workloads();
        if (!stored)
            return std::unexpected(std::move(stored).error());
        for (StoredWorkload& each : *stored) {
            const WorkloadId id = each.id;
            stored_.emplace(id, std::move(each));
        }
        if (settings.method == ChoiceMethod::Recorded || prefers_recorded()) {
            auto recorded = recorded_configurations(workspace_, domain_, *machine_.recorded);
            if (!recorded)
                return std::unexpected(std::move(recorded).error());
            recorded_ = *std::move(recorded);
        }
        if (settings.method == ChoiceMethod::Recorded)
            return {};
        auto pools = ConfigurationPools::read(
            workspace_, domain_, {.setting = setting_, .machine = machine_.id, .seed = request_.seed});
        if (!pools)
            return std::unexpected(std::move(pools).error());
        auto families = model_.domain->families(workspace_, settings.threads);
        if (!families)
            return std::unexpected(std::move(families).error());
        pools_ = *std::move(pools);
        families_ = *std::move(families);
        return {};
    }

    /// A workload without any times is chosen for as others are; one whose times are all of other settings
    /// has none of these configurations.
    [[nodiscard]] Result<void> check_setting_of(const WorkloadRecord& workload) const {
        if (pools_->knows(workload.id))
            return {};
        const auto times =
            list_results(workspace_, {.domain = std::string(domain_.name()), .workload = workload.name});
        if (!times)
            return std::unexpected(times.error());
        if (times->empty())
            return {};
        return fail(Fault::Input, fmt::format("{} chooses {}, and {} has none of these", request_.model,
                                              domain_.describe(setting_), workload.name));
    }

    /// What can be chosen for a workload, and what is chosen from.
    struct Choices {
        std::shared_ptr<const ConfigurationSpace> space;
        std::vector<Configuration> pool{};
        std::vector<Configuration> recorded{}; ///< of ChoiceMethod::Recorded
    };

    [[nodiscard]] Result<Choices> choices_for(const WorkloadRecord& workload) const {
        Choices choices;
        if (const auto found = recorded_.find(workload.id); found != recorded_.end())
            choices.recorded = found->second;
        const bool is_table = domain_.chooses_among_recorded();
        if (is_table && pools_) {
            if (auto checked = check_setting_of(workload); !checked)
                return std::unexpected(std::move(checked).error());
            choices.pool = choices.recorded.empty() ? pools_->recorded_of(workload.id) : choices.recorded;
        }
        auto space =
            space_of(domain_, setting_, workload,
                     is_table ? std::span<const Configuration>(pools_ ? choices.pool : choices.recorded)
                              : std::span<const Configuration>());
        if (!space)
            return std::unexpected(std::move(space).error());
        choices.space = *std::move(space);
        if (!is_table && pools_)
            choices.pool = pools_->pool_for(*choices.space, families_->ids_with_relatives(workload.name));
        return choices;
    }

    /// An index takes a while: workloads of one pool share it.
    [[nodiscard]] Result<const ModelSearch*> search_over(std::vector<Configuration> pool,
                                                         const ChoiceSettings& settings) {
        const auto known = std::ranges::find(searches_, pool, &PreparedSearch::pool);
        if (known != searches_.end())
            return known->search.get();
        auto search = ModelSearch::prepare(model_.checkpoint, *model_.domain, request_.model, pool, settings,
                                           stop_, observer_.sink());
        if (!search)
            return std::unexpected(std::move(search).error());
        if (searches_.empty() && search->settings().method != settings.method)
            observer_.remark(
                fmt::format("trees have no index: all {} of the pool are scored", settings.configurations));
        // The first one is kept: most workloads that were never measured share it.
        if (searches_.size() > 1)
            searches_.pop_back();
        searches_.push_back({std::move(pool), std::make_unique<ModelSearch>(*std::move(search))});
        return searches_.back().search.get();
    }

    [[nodiscard]] Result<WorkloadChoice> choose(const WorkloadRecord& workload,
                                                const ChoiceSettings& settings) {
        if (stop_.stop_requested())
            return fail(Fault::Cancelled,
                        fmt::format("stopped between two {}", domain_.words().workload.many));
        const auto stored = stored_.find(workload.id);
        if (stored == stored_.end())
            return fail(Fault::Input, "it was removed from the workspace meanwhile");
        auto payload = storage_->payload(stored->second, settings.threads);
        if (!payload)
            return std::unexpected(std::move(payload).error());
        auto choices = choices_for(workload);
        if (!choices)
            return std::unexpected(std::move(choices).error());
        const auto search = search_over(std::move(choices->pool), settings);
        if (!search)
            return std::unexpected(search.error());
        auto choice = (*search)->choose({.payload = *std::move(payload),
                                         .space = *choices->space,
                                         .machine = machine_.description ? &*machine_.description : nullptr,
                                         .recorded = choices->recorded},
                                        stop_, observer_.sink());
        if (!choice)
            return choice;
        if (prefers_recorded() && !choices->recorded.empty() && choice->method == ChoiceMethod::Exhaustive)
            choice->method = ChoiceMethod::Recorded;
        if (auto kept = store(workload.id, *choice); !kept)
            return std::unexpected(std::move(kept).error());
        return choice;
    }

    [[nodiscard]] Result<std::vector<std::optional<double>>>
    recorded_times(const WorkloadRecord& workload, const WorkloadChoice& choice) const {
        std::vector<std::optional<double>> recorded;
        if (!domain_.chooses_among_recorded() || !machine_.recorded)
            return recorded;
        const auto times = list_results(workspace_, {.domain = std::string(domain_.name()),
                                                     .workload = workload.name,
                                                     .machine = machine_.fingerprint,
                                                     .setting = setting_.text,
                                                     .protocol = machine_.recorded->protocol,
                                                     .threads = machine_.recorded->threads,
                                                     .condition = machine_.recorded->condition});
        if (!times)
            return std::unexpected(times.error());
        std::map<std::string, double> fastest; // by canonical text
        for (const ResultRecord& each : *times) {
            if (each.status != MeasurementStatus::Measured || !each.median_ms)
                continue;
            const auto parsed = codec_->parse(each.configuration);
            if (!parsed)
                return std::unexpected(parsed.error());
            const auto known = fastest.try_emplace(codec_->text(parsed->configuration, 1), *each.median_ms);
            known.first->second = std::min(known.first->second, *each.median_ms);
        }
        for (const ScoredConfiguration& each : choice.candidates) {
            const auto known = fastest.find(codec_->text(each.configuration, 1));
            recorded.push_back(known == fastest.end() ? std::nullopt : std::optional(known->second));
        }
        return recorded;
    }

    [[nodiscard]] Result<void> store(WorkloadId workload, const WorkloadChoice& choice) {
        if (!request_.run)
            return {};
        std::vector<ConfigurationChoice> chosen;
        chosen.reserve(choice.candidates.size());
        for (const ScoredConfiguration& each : choice.candidates) {
            auto written = domain_.written(setting_, codec_->text(each.configuration, choice.threads));
            if (!written)
                return std::unexpected(std::move(written).error());
            chosen.push_back({*std::move(written), each.score});
        }
        return record_choices(workspace_, static_cast<RunId>(*request_.run), model_.record.id, workload,
                              chosen);
    }

    Workspace& workspace_;
    const StoredModel model_;
    const Domain& domain_;
    const Setting setting_;
    std::unique_ptr<TaskStorage> storage_;
    const SearchRequest& request_;
    Observer& observer_;
    std::stop_token stop_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::map<WorkloadId, StoredWorkload> stored_;
    SearchTarget machine_;
    std::map<WorkloadId, std::vector<Configuration>> recorded_; ///< on the machine; of ChoiceMethod::Recorded
    std::optional<ConfigurationPools> pools_;                   ///< of other methods
    std::optional<WorkloadFamilies> families_;
    struct PreparedSearch {
        std::vector<Configuration> pool;
        std::unique_ptr<ModelSearch> search;
    };
    std::vector<PreparedSearch> searches_;
};

} // namespace

Result<SearchOutcome> run_search(Workspace& workspace, const LearningDomains& domains,
                                 const SearchRequest& request, Observer& observer,
                                 const std::function<void(const SearchOutcome&)>& on_choice,
                                 const std::stop_token& stop) {
    const auto runtime = prepare_torch(request.choice.threads);
    if (!runtime)
        return std::unexpected(runtime.error());
    if (!runtime->warning.empty())
        observer.remark(runtime->warning);
    auto model = load_model(workspace, domains, request.model);
    if (!model)
        return std::unexpected(std::move(model).error());
    auto setting = setting_for(*model, request.setting);
    if (!setting)
        return std::unexpected(std::move(setting).error());
    return SearchJob(workspace, *std::move(model), *std::move(setting), request, observer, stop)
        .run(on_choice);
}

} // namespace sparsight
