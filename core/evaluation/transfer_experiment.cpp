#include "evaluation/transfer_experiment.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

namespace sparsight {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view curve_metric = "ordered_pair_accuracy";

/// Of one seed: the mean of a metric over the shots of the target; nothing where one of them is missing.
std::optional<double> curve_mean(const TransferExperiment& experiment, std::string_view target,
                                 std::string_view source, int seed) {
    const std::size_t count = shots_on(experiment, target).size();
    double sum = 0;
    std::size_t found = 0;
    for (const TransferPoint& point : experiment.points)
        if (point.target == target && point.source == source && point.seed == seed)
            if (const auto value = point.metrics.find(std::string(curve_metric));
                value != point.metrics.end()) {
                sum += value->second;
                ++found;
            }
    return found > 0 && found == count ? std::optional(sum / static_cast<double>(found)) : std::nullopt;
}

std::optional<TransferComparison> compare_sources(const TransferExperiment& experiment,
                                                  const std::string& target, std::string_view better,
                                                  std::string_view than) {
    std::set<int> seeds;
    for (const TransferPoint& point : experiment.points)
        seeds.insert(point.seed);
    std::vector<double> first;
    std::vector<double> second;
    for (const int seed : seeds) {
        const auto of_better = curve_mean(experiment, target, better, seed);
        const auto of_than = curve_mean(experiment, target, than, seed);
        if (!of_better || !of_than)
            continue;
        first.push_back(*of_better);
        second.push_back(*of_than);
    }
    if (first.empty())
        return std::nullopt;
    return TransferComparison{target, std::string(better), std::string(than), first.size(),
                              paired_difference(first, second, &mean)};
}

TransferExperiment experiment_of(const Json& json) {
    TransferExperiment experiment;
    experiment.op = json.at("operator");
    experiment.dense = json.at("dense");
    for (const Json& each : json.at("targets"))
        experiment.targets.push_back({each.at("machine"), each.at("matrices"), each.at("imagined_from")});
    experiment.sources = json.at("sources").get<std::vector<std::string>>();
    for (const Json& each : json.at("trainings"))
        experiment.trainings.push_back({each.at("target"), each.at("source"), each.at("seed"),
                                        each.at("machines"), each.at("steps"), each.at("examples")});
    for (const Json& each : json.at("points"))
        experiment.points.push_back({each.at("target"), each.at("source"), each.at("seed"), each.at("shots"),
                                     each.at("metrics").get<std::map<std::string, double>>()});
    experiment.notes = json.at("notes").get<std::vector<std::string>>();
    return experiment;
}

} // namespace

Result<TransferExperiment> parse_transfer_experiment(const Json& json) {
    try {
        return experiment_of(json);
    } catch (const Json::exception& wrong) {
        return fail(Fault::Internal,
                    fmt::format("the results of the experiment can't be read: {}", wrong.what()));
    }
}

std::string_view source_title(std::string_view source) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> titles{{
        {"scratch", "from scratch"},
        {"paper", "paper formula"},
        {"family", "simulated family"},
        {"real", "other real machines"},
        {"family+real", "family and real"},
    }};
    const auto found =
        std::ranges::find(titles, source, &std::pair<std::string_view, std::string_view>::first);
    return found == titles.end() ? source : found->second;
}

const std::vector<TransferMetric>& transfer_metrics() {
    static const std::vector<TransferMetric> metrics{
        {"ordered_pair_accuracy", "pairs in order", true},
        {"kendall_tau", "Kendall's τ", true},
        {"regret_at_1", "regret of the first", false},
        {"regret_at_5", "regret of the best of 5", false},
        {"regret_at_20", "regret of the best of 20", false},
    };
    return metrics;
}

std::vector<std::size_t> shots_on(const TransferExperiment& experiment, std::string_view target) {
    std::set<std::size_t> shots;
    for (const TransferPoint& point : experiment.points)
        if (point.target == target)
            shots.insert(point.shots);
    return {shots.begin(), shots.end()};
}

std::optional<Estimate> transfer_estimate(const TransferExperiment& experiment, std::string_view target,
                                          std::string_view source, std::size_t shots,
                                          std::string_view metric) {
    std::vector<double> values;
    for (const TransferPoint& point : experiment.points)
        if (point.target == target && point.source == source && point.shots == shots)
            if (const auto value = point.metrics.find(std::string(metric)); value != point.metrics.end())
                values.push_back(value->second);
    if (values.empty())
        return std::nullopt;
    return bootstrap(values, &mean);
}

std::vector<TransferComparison> transfer_comparisons(const TransferExperiment& experiment) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> asked{{
        {"family", "scratch"},
        {"family", "paper"},
        {"family", "real"},
        {"real", "scratch"},
        {"real", "paper"},
        {"family+real", "real"},
    }};
    std::vector<TransferComparison> comparisons;
    for (const TransferTargetFacts& target : experiment.targets)
        for (const auto& [better, than] : asked)
            if (auto found = compare_sources(experiment, target.machine, better, than))
                comparisons.push_back(*std::move(found));
    return comparisons;
}

} // namespace sparsight
