#include "workflow/learning/reasons/time_prediction.h"

#include "machine/machine_parameters.h"
#include "store/results.h"
#include "store/workloads.h"
#include "store/workspace.h"
#include "workflow/learning/models/model_storage.h"
#include "workflow/learning/search/configuration_pool.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// All that is the same for every workload.
class TimePrediction {
public:
    TimePrediction(Workspace& workspace, const PredictionQuestion& question, StoredModel model,
                   Setting setting, SearchTarget machine)
        : workspace_(workspace)
        , question_(question)
        , model_(std::move(model))
        , domain_(model_.domain->domain())
        , setting_(std::move(setting))
        , machine_(std::move(machine))
        , storage_(model_.domain->task_storage(workspace))
        , is_gray_box_(is_network(model_.checkpoint.model) && model_.encoder()->gray_box() != nullptr) {}

    [[nodiscard]] Result<Prediction> run(Observer& observer, const std::stop_token& stop) {
        if (auto ready = prepare(); !ready)
            return std::unexpected(std::move(ready).error());
        Prediction prediction{&domain_, setting_, {question_.model, machine_.name, is_gray_box_, {}}};
        std::vector<PredictedWorkload>& workloads = prediction.times.workloads;
        for (const auto& [workload, configuration] : question_.pairs) {
            auto place = std::ranges::find(workloads, workload, &PredictedWorkload::name);
            if (place == workloads.end())
                place = workloads.insert(place, {workload, false, {}});
            place->times.push_back({.configuration = configuration});
        }
        for (std::size_t done = 0; done < workloads.size(); ++done) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped before the model was asked");
            observer.progress(
                {.stage = "asking " + question_.model, .done = done, .total = workloads.size()});
            if (auto asked = ask(workloads[done]); !asked)
                return std::unexpected(std::move(asked).error());
        }
        return prediction;
    }

private:
    [[nodiscard]] Result<void> prepare() {
        if (auto checked = check_description(model_, machine_.description); !checked)
            return checked;
        auto codec = domain_.codec(setting_);
        if (!codec)
            return std::unexpected(std::move(codec).error());
        codec_ = *std::move(codec);
        auto model = make_cost_model(model_.checkpoint, *model_.domain);
        if (!model)
            return std::unexpected(std::move(model).error());
        cost_model_ = *std::move(model);
        auto stored = storage_->workloads();
        if (!stored)
            return std::unexpected(std::move(stored).error());
        stored_ = *std::move(stored);
        return {};
    }

    [[nodiscard]] Result<void> ask(PredictedWorkload& of) {
        const auto found = std::ranges::find(stored_, of.name, &StoredWorkload::name);
        if (found == stored_.end())
            return fail(Fault::Input,
                        fmt::format("the workspace has no {} '{}'", domain_.words().workload.one, of.name));
        const auto record = find_workload(workspace_, domain_.name(), of.name);
        if (!record)
            return std::unexpected(record.error());
        auto configurations = configurations_of(of, (*record).value());
        if (!configurations)
            return std::unexpected(std::move(configurations).error());
        auto payload = storage_->payload(*found, question_.threads);
        if (!payload)
            return std::unexpected(std::move(payload).error());
        const auto scorer = cost_model_->embed(
            *std::move(payload), machine_.description ? &*machine_.description : nullptr, question_.threads);
        if (!scorer)
            return std::unexpected(scorer.error());
        const auto scores = (*scorer)->score(*configurations);
        if (!scores)
            return std::unexpected(scores.error());
        for (std::size_t at = 0; at < of.times.size(); ++at)
            of.times[at].score = static_cast<double>((*scores)[at]);
        const auto simulated = (*scorer)->simulate(*configurations);
        if (!simulated)
            return std::unexpected(simulated.error());
        for (std::size_t at = 0; at < std::min(of.times.size(), simulated->size()); ++at)
            of.times[at].simulated_ms = (*simulated)[at];
        return is_gray_box_ ? add_learned(of, **scorer, *configurations, *scores, *simulated)
                            : Result<void>();
    }

    /// Of a gray box the baseline stands behind those that were asked for.
    [[nodiscard]] Result<std::vector<Configuration>> configurations_of(const PredictedWorkload& of,
                                                                       const WorkloadRecord& record) const {
        std::vector<Configuration> configurations;
        for (const PredictedTime& time : of.times) {
            const auto parsed = codec_->parse(time.configuration);
            if (!parsed)
                return std::unexpected(parsed.error());
            configurations.push_back(parsed->configuration);
        }
        if (domain_.chooses_among_recorded())
            return configurations;
        const auto space = space_of(domain_, setting_, record, {});
        if (!space)
            return std::unexpected(space.error());
        for (const Configuration& each : configurations)
            if (auto valid = (*space)->check(each); !valid)
                return std::unexpected(std::move(valid).error());
        if (const auto baseline = (*space)->baseline(); baseline && is_gray_box_)
            configurations.push_back(*baseline);
        return configurations;
    }

    [[nodiscard]] Result<void> add_learned(PredictedWorkload& of, const WorkloadScorer& scorer,
                                           const std::vector<Configuration>& configurations,
                                           const std::vector<float>& scores,
                                           const std::vector<std::optional<double>>& simulated) const {
        const auto measured = baseline_time(of.name);
        if (!measured)
            return std::unexpected(measured.error());
        of.is_anchored = measured->has_value();
        // Without a time of the baseline no other can be told.
        const std::optional<double>& known = of.is_anchored ? *measured : simulated.back();
        const double anchor = configurations.size() > of.times.size() ? known.value_or(0) : 0;
        const auto inputs = scorer.last_inputs(configurations);
        if (!inputs)
            return std::unexpected(inputs.error());
        for (std::size_t at = 0; at < of.times.size(); ++at) {
            PredictedTime& time = of.times[at];
            if (!time.simulated_ms)
                continue; // it can't run
            if (anchor > 0 && std::isfinite(scores.back()))
                time.learned_ms = anchor * std::exp(time.score - static_cast<double>(scores.back()));
            add_corrections(
                time, std::span(*inputs).subspan(at * cost_model_->last_width(), cost_model_->last_width()));
        }
        return {};
    }

    /// `inputs` end with the sensitivities to the parameters and the simulator itself.
    static void add_corrections(PredictedTime& time, std::span<const float> inputs) {
        const auto parameters = fitted_parameters();
        const std::size_t learned = inputs.size() - 1 - parameters.size();
        double& rest = time.corrections[std::string(learned_correction)];
        for (std::size_t at = 0; at < learned; ++at)
            rest += static_cast<double>(inputs[at]);
        for (std::size_t p = 0; p < parameters.size(); ++p)
            time.corrections[std::string(parameter_info(parameters[p]).key)] =
                static_cast<double>(inputs[learned + p]);
    }

    /// The shortest of its times that compare with each other.
    [[nodiscard]] Result<std::optional<double>> baseline_time(const std::string& workload) const {
        std::optional<double> shortest;
        if (machine_.fingerprint.empty())
            return shortest;
        const auto results = list_results(workspace_, {.domain = std::string(domain_.name()),
                                                       .workload = workload,
                                                       .machine = machine_.fingerprint,
                                                       .setting = setting_.text});
        if (!results)
            return std::unexpected(results.error());
        const auto& query = machine_.recorded;
        for (const ResultRecord& result : *results) {
            if (query && (result.protocol != query->protocol || result.condition != query->condition))
                continue;
            if (!result.is_baseline || result.status != MeasurementStatus::Measured || !result.median_ms ||
                result.threads != machine_.threads)
                continue;
            shortest = std::min(shortest.value_or(*result.median_ms), *result.median_ms);
        }
        return shortest;
    }

    Workspace& workspace_;
    const PredictionQuestion& question_;
    const StoredModel model_;
    const Domain& domain_;
    const Setting setting_;
    const SearchTarget machine_;
    std::unique_ptr<TaskStorage> storage_;
    const bool is_gray_box_;
    std::shared_ptr<const ConfigurationCodec> codec_;
    std::unique_ptr<CostModel> cost_model_;
    std::vector<StoredWorkload> stored_;
};

} // namespace

Result<Prediction> predict_times(Workspace& workspace, const LearningDomains& domains,
                                 const PredictionQuestion& question, Observer& observer,
                                 const std::stop_token& stop) {
    auto model = load_model(workspace, domains, question.model);
    if (!model)
        return std::unexpected(std::move(model).error());
    auto setting = setting_for(*model, question.setting);
    if (!setting)
        return std::unexpected(std::move(setting).error());
    auto machine = search_target(workspace, question.machine, *setting);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    return TimePrediction(workspace, question, *std::move(model), *std::move(setting), *std::move(machine))
        .run(observer, stop);
}

} // namespace sparsight
