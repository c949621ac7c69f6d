#include "domains/sparse/explanation/pages/transfer_experiment.h"

#include "base/text.h"

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

/// For one seed the mean of a metric over the shots of the target; nothing where one of them is missing.
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

namespace {

std::string with_interval(const Estimate& estimate) {
    return estimate.interval ? fmt::format("{:.3f} [{:.3f}, {:.3f}]", estimate.value, estimate.interval->low,
                                           estimate.interval->high)
                             : fmt::format("{:.3f}", estimate.value);
}

std::string verdict(const Estimate& difference) {
    if (!difference.interval)
        return "one seed tells nothing";
    if (difference.interval->contains(0))
        return "undecided";
    return difference.value > 0 ? "better" : "worse";
}

/// Every number of shots of any target.
std::vector<std::size_t> all_shots(const TransferExperiment& experiment) {
    std::set<std::size_t> shots;
    for (const TransferPoint& point : experiment.points)
        shots.insert(point.shots);
    return {shots.begin(), shots.end()};
}

std::string training_sentence(const TransferExperiment& experiment) {
    if (experiment.trainings.empty())
        return "";
    const auto [fewest, most] =
        std::ranges::minmax(experiment.trainings, {}, &TransferTrainingFacts::examples);
    return fmt::format("Every source was trained until it had looked at as many schedules: {} to {} of them.",
                       fewest.examples, most.examples);
}

} // namespace

TextTable curve_table(const TransferExperiment& experiment, const TransferMetric& metric) {
    TextTable table{.header = {"new machine", "learned before from"}, .rows = {}};
    const auto shots = all_shots(experiment);
    for (const std::size_t count : shots)
        table.header.push_back(fmt::to_string(count));
    for (const TransferTargetFacts& target : experiment.targets)
        for (const std::string& source : experiment.sources) {
            std::vector<std::string> row{target.machine, std::string(source_title(source))};
            for (const std::size_t count : shots) {
                const auto found = transfer_estimate(experiment, target.machine, source, count, metric.name);
                row.push_back(found ? with_interval(*found) : "–");
            }
            table.rows.push_back(std::move(row));
        }
    return table;
}

TextTable comparison_table(const TransferExperiment& experiment) {
    TextTable table{.header = {"new machine", "learned before from", "instead of", "difference", ""},
                    .rows = {}};
    for (const TransferComparison& comparison : transfer_comparisons(experiment)) {
        const Estimate& difference = comparison.difference;
        std::string words = fmt::format("{:+.2f}", difference.value * 100);
        if (difference.interval)
            words += fmt::format(" [{:+.2f}, {:+.2f}]", difference.interval->low * 100,
                                 difference.interval->high * 100);
        table.rows.push_back({comparison.target, std::string(source_title(comparison.better)),
                              std::string(source_title(comparison.than)), std::move(words),
                              verdict(difference)});
    }
    return table;
}

std::vector<std::string> transfer_sentences(const TransferExperiment& experiment) {
    std::vector<std::string> sentences;
    for (const TransferTargetFacts& target : experiment.targets)
        sentences.push_back(fmt::format(
            "{} was measured on {}; imagined machines were given the matrices and "
            "schedules of {}, and the paper's formula its times.",
            target.machine, counted(target.matrices, "matrix", "matrices"), target.imagined_from));
    if (std::string trained = training_sentence(experiment); !trained.empty())
        sentences.push_back(std::move(trained));
    sentences.emplace_back("Every seed draws other test matrices, which no source has seen, nor any form of "
                           "them; intervals are " +
                           std::string(interval_words) + ".");
    sentences.insert(sentences.end(), experiment.notes.begin(), experiment.notes.end());
    return sentences;
}

} // namespace sparsight
