#include "workflow/learning/reasons/time_prediction.h"

#include "evaluation/model_reasons/reliability.h"
#include "machine/machine_parameters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

/// All that is the same for every workload.
class TimePrediction {
public:
    TimePrediction(const PredictionQuestion& question, const QueriedModel& model, SearchTarget machine)
        : question_(question)
        , model_(model)
        , machine_(std::move(machine))
        , is_gray_box_(is_network(model.stored().checkpoint.model) &&
                       model.stored().encoder()->gray_box() != nullptr) {}

    [[nodiscard]] Result<Prediction> run(Observer& observer, const std::stop_token& stop) {
        const std::string& name = question_.query.model;
        Prediction prediction{&model_.domain(), model_.setting(), {name, machine_.name, is_gray_box_, {}}};
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
            observer.progress({.stage = "asking " + name, .done = done, .total = workloads.size()});
            if (auto asked = ask(workloads[done], stop); !asked)
                return std::unexpected(std::move(asked).error());
        }
        return prediction;
    }

private:
    /// Many are scored in parts, between which it can be stopped.
    [[nodiscard]] static Result<std::vector<float>> score(const WorkloadScorer& scorer,
                                                          std::span<const Configuration> configurations,
                                                          const std::stop_token& stop) {
        constexpr std::size_t most_at_once = 1024;
        std::vector<float> scores;
        while (scores.size() < configurations.size()) {
            if (stop.stop_requested())
                return fail(Fault::Cancelled, "stopped while the model was asked");
            const auto rest = configurations.subspan(scores.size());
            const auto some = scorer.score(rest.first(std::min(rest.size(), most_at_once)));
            if (!some)
                return std::unexpected(some.error());
            scores.insert(scores.end(), some->begin(), some->end());
        }
        return scores;
    }

    [[nodiscard]] Result<void> ask(PredictedWorkload& of, const std::stop_token& stop) {
        const auto workload = model_.workload(of.name);
        if (!workload)
            return std::unexpected(workload.error());
        auto configurations = configurations_of(of, *workload);
        if (!configurations)
            return std::unexpected(std::move(configurations).error());
        const auto scorer = model_.look_at(*workload, machine_);
        if (!scorer)
            return std::unexpected(scorer.error());
        const auto scores = score(**scorer, *configurations, stop);
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
            const auto parsed = model_.codec().parse(time.configuration);
            if (!parsed)
                return std::unexpected(parsed.error());
            configurations.push_back(parsed->configuration);
        }
        if (model_.domain().chooses_among_recorded())
            return configurations;
        const auto space = space_of(model_.domain(), model_.setting(), record, {});
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
        const std::size_t width = model_.cost_model().last_width();
        const auto deviations = scorer.time_deviations(configurations);
        if (!deviations)
            return std::unexpected(deviations.error());
        for (std::size_t at = 0; at < of.times.size(); ++at) {
            PredictedTime& time = of.times[at];
            if (!time.simulated_ms)
                continue; // it can't run
            if (anchor > 0 && std::isfinite(scores.back()))
                time.learned_ms = anchor * std::exp(time.score - static_cast<double>(scores.back()));
            if (time.learned_ms && !deviations->empty() && configurations[at] != configurations.back())
                add_doubt(time, time.score - static_cast<double>(scores.back()), (*deviations)[at],
                          of.is_anchored);
            add_corrections(time, std::span(*inputs).subspan(at * width, width));
        }
        return {};
    }

    /// Of a time over that of the baseline. Where the baseline was not measured its own doubt is not known.
    void add_doubt(PredictedTime& time, double difference, double deviation, bool is_anchored) const {
        const StatedDoubt& doubt = *model_.stored().checkpoint.model.doubt;
        const double confidence = order_confidence(difference, deviation, doubt.temperature);
        time.beats_baseline = difference < 0 ? confidence : 1 - confidence;
        if (!is_anchored)
            return;
        const double factor = std::exp(doubt.reach * deviation);
        time.low_ms = *time.learned_ms / factor;
        time.high_ms = *time.learned_ms * factor;
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
        const auto results = model_.results(workload, machine_.fingerprint);
        if (!results)
            return std::unexpected(results.error());
        for (const ResultRecord& result : *results) {
            if (!is_comparable_time(result, machine_) || !result.is_baseline ||
                result.threads != machine_.threads)
                continue;
            shortest = std::min(shortest.value_or(*result.median_ms), *result.median_ms);
        }
        return shortest;
    }

    const PredictionQuestion& question_;
    const QueriedModel& model_;
    const SearchTarget machine_;
    const bool is_gray_box_;
};

} // namespace

Result<Prediction> predict_times(Workspace& workspace, const LearningDomains& domains,
                                 const PredictionQuestion& question, Observer& observer,
                                 const std::stop_token& stop) {
    const auto model = QueriedModel::load(workspace, domains, question.query);
    if (!model)
        return std::unexpected(model.error());
    return predict_times(*model, question, observer, stop);
}

Result<Prediction> predict_times(const QueriedModel& model, const PredictionQuestion& question,
                                 Observer& observer, const std::stop_token& stop) {
    auto machine = model.machine(question.query.machine);
    if (!machine)
        return std::unexpected(std::move(machine).error());
    return TimePrediction(question, model, *std::move(machine)).run(observer, stop);
}

} // namespace sparsight
