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

/// A metric of a point: of each family of test matrices, or where none is known of all of them as one
/// (empty).
std::map<std::string, double> by_family(const TransferPoint& point, std::string_view metric) {
    std::map<std::string, double> values;
    const std::string prefix = std::string(metric) + '/';
    for (const auto& [name, value] : point.metrics)
        if (name.starts_with(prefix))
            values.emplace(name.substr(prefix.size()), value);
    if (values.empty())
        if (const auto whole = point.metrics.find(std::string(metric)); whole != point.metrics.end())
            values.emplace("", whole->second);
    return values;
}

/// Families and seeds as numbers.
class Crossed {
public:
    /// An empty family is none.
    void add(const std::string& family, int seed, double value) {
        CrossedValue crossed{.value = value, .seed = static_cast<std::size_t>(seed)};
        if (!family.empty())
            crossed.family = families_.try_emplace(family, families_.size()).first->second;
        values_.push_back(crossed);
    }
    [[nodiscard]] std::optional<Estimate> estimate() const {
        return values_.empty() ? std::nullopt : std::optional(estimate_crossed(values_));
    }

private:
    std::map<std::string, std::size_t> families_;
    std::vector<CrossedValue> values_;
};

/// For one seed the mean of a metric over the shots of the target, by family; without those that miss one.
std::map<std::string, double> curve_means(const TransferExperiment& experiment, std::string_view target,
                                          std::string_view source, int seed) {
    const std::size_t count = shots_on(experiment, target).size();
    std::map<std::string, std::vector<double>> found;
    for (const TransferPoint& point : experiment.points)
        if (point.target == target && point.source == source && point.seed == seed)
            for (const auto& [family, value] : by_family(point, curve_metric))
                found[family].push_back(value);
    std::map<std::string, double> means;
    for (const auto& [family, values] : found)
        if (values.size() == count)
            means.emplace(family, mean(values));
    return means;
}

std::optional<TransferComparison> compare_sources(const TransferExperiment& experiment,
                                                  const std::string& target, std::string_view better,
                                                  std::string_view than) {
    std::set<int> seeds;
    for (const TransferPoint& point : experiment.points)
        seeds.insert(point.seed);
    Crossed differences;
    std::size_t compared = 0;
    for (const int seed : seeds) {
        const auto of_better = curve_means(experiment, target, better, seed);
        bool is_compared = false;
        for (const auto& [family, value] : curve_means(experiment, target, than, seed))
            if (const auto other = of_better.find(family); other != of_better.end()) {
                differences.add(family, seed, other->second - value);
                is_compared = true;
            }
        compared += is_compared ? 1 : 0;
    }
    const auto difference = differences.estimate();
    if (!difference)
        return std::nullopt;
    return TransferComparison{target, std::string(better), std::string(than), compared, *difference};
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

Result<TransferExperiment>
contributions_of(const std::vector<std::pair<std::string, nlohmann::ordered_json>>& answers,
                 ExperimentKind kind) {
    TransferExperiment experiment;
    experiment.kind = kind;
    try {
        for (const auto& [machine, answer] : answers) {
            experiment.targets.push_back(
                {machine,
                 answer.value("used", Json(0)).is_number() ? answer.at("used").get<std::size_t>() : 0,
                 {}});
            for (const Json& shot : answer.at("shots")) {
                const auto contender = shot.at("contender").get<std::string>();
                if (std::ranges::find(experiment.sources, contender) == experiment.sources.end())
                    experiment.sources.push_back(contender);
                for (int seed = 1; const Json& metrics : shot.at("seeds"))
                    experiment.points.push_back({machine, contender, seed++, shot.at("shots"),
                                                 metrics.get<std::map<std::string, double>>()});
            }
        }
    } catch (const Json::exception& wrong) {
        return fail(Fault::Internal,
                    fmt::format("the results of the experiment can't be read: {}", wrong.what()));
    }
    return experiment;
}

std::string_view source_title(std::string_view source) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 15> titles{{
        {"simulator", "calibrated simulator"},
        {"trees", "boosted trees"},
        {"trees:simulator", "trees on simulator"},
        {"scratch", "from scratch"},
        {"paper", "paper formula"},
        {"family", "simulated family"},
        {"real", "other real machines"},
        {"family+real", "family and real"},
        {"closed-form", "closed form"},
        {"maml", "MAML"},
        {"fomaml", "FOMAML"},
        {"reptile", "Reptile"},
        {"anil", "ANIL"},
        {"meta-sgd", "Meta-SGD"},
        {"report", "report's rule"},
    }};
    const auto found =
        std::ranges::find(titles, source, &std::pair<std::string_view, std::string_view>::first);
    return found == titles.end() ? source : found->second;
}

const std::vector<TransferMetric>& transfer_metrics() {
    static const std::vector<TransferMetric> metrics{
        {"ordered_pair_accuracy", "pairs in the right order", true},
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
    Crossed values;
    for (const TransferPoint& point : experiment.points)
        if (point.target == target && point.source == source && point.shots == shots)
            for (const auto& [family, value] : by_family(point, metric))
                values.add(family, point.seed, value);
    return values.estimate();
}

std::optional<Estimate> transfer_difference(const TransferExperiment& experiment, std::string_view target,
                                            std::string_view better, std::string_view than, std::size_t shots,
                                            std::string_view metric) {
    const auto values_of = [&](std::string_view source) {
        std::map<std::pair<std::string, int>, double> values;
        for (const TransferPoint& point : experiment.points)
            if (point.target == target && point.source == source && point.shots == shots)
                for (const auto& [family, value] : by_family(point, metric))
                    values.emplace(std::pair(family, point.seed), value);
        return values;
    };
    const auto others = values_of(than);
    Crossed differences;
    for (const auto& [place, value] : values_of(better))
        if (const auto other = others.find(place); other != others.end())
            differences.add(place.first, place.second, value - other->second);
    return differences.estimate();
}

std::string_view interval_words(const TransferExperiment& experiment) {
    const bool are_by_family = std::ranges::any_of(experiment.points, [](const TransferPoint& point) {
        const auto families = by_family(point, curve_metric);
        return !families.empty() && !families.contains("");
    });
    return are_by_family ? "95 % intervals by Student's t, over seeds and families of test matrices"
                         : "95 % intervals by Student's t, over the seeds";
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
    std::vector<std::pair<std::string_view, std::string_view>> pairs(asked.begin(), asked.end());
    if (experiment.is_about_first()) {
        pairs.clear();
        for (const std::string& rival : experiment.sources)
            if (rival != experiment.sources.front())
                pairs.emplace_back(experiment.sources.front(), rival);
    }
    std::vector<TransferComparison> comparisons;
    for (const TransferTargetFacts& target : experiment.targets)
        for (const auto& [better, than] : pairs)
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

/// "+1.25 [+0.80, +1.70]" of so many times the estimate.
std::string with_sign(const Estimate& estimate, double factor) {
    const int digits = factor > 1 ? 2 : 4;
    std::string text = fmt::format("{:+.{}f}", estimate.value * factor, digits);
    if (estimate.interval)
        text += fmt::format(" [{:+.{}f}, {:+.{}f}]", estimate.interval->low * factor, digits,
                            estimate.interval->high * factor, digits);
    return text;
}

std::string verdict(const TransferComparison& comparison) {
    const Estimate& difference = comparison.difference;
    if (!difference.interval)
        return comparison.seeds == 1 ? "one seed tells nothing" : "too few seeds or families for an interval";
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
    TextTable table{.header = {"new machine", experiment.kind == ExperimentKind::Sources
                                                  ? "learned before from"
                                                  : "contender"},
                    .rows = {}};
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

TextTable difference_table(const TransferExperiment& experiment, const TransferMetric& metric) {
    TextTable table{.header = {"new machine", "less"}, .rows = {}};
    const auto shots = all_shots(experiment);
    for (const std::size_t count : shots)
        table.header.push_back(fmt::to_string(count));
    for (const TransferTargetFacts& target : experiment.targets)
        for (const std::string& rival : experiment.sources) {
            if (rival == experiment.sources.front())
                continue;
            std::vector<std::string> row{target.machine, std::string(source_title(rival))};
            for (const std::size_t count : shots) {
                const auto found = transfer_difference(experiment, target.machine, experiment.sources.front(),
                                                       rival, count, metric.name);
                row.push_back(found ? with_sign(*found, 1) : "–");
            }
            table.rows.push_back(std::move(row));
        }
    return table;
}

TextTable comparison_table(const TransferExperiment& experiment) {
    const bool are_sources = experiment.kind == ExperimentKind::Sources;
    TextTable table{.header = {"new machine", are_sources ? "learned before from" : "model", "instead of",
                               "difference", ""},
                    .rows = {}};
    for (const TransferComparison& comparison : transfer_comparisons(experiment)) {
        const Estimate& difference = comparison.difference;
        table.rows.push_back({comparison.target, std::string(source_title(comparison.better)),
                              std::string(source_title(comparison.than)), with_sign(difference, 100),
                              verdict(comparison)});
    }
    return table;
}

std::vector<std::string> transfer_sentences(const TransferExperiment& experiment) {
    std::vector<std::string> sentences;
    if (experiment.is_about_first()) {
        sentences.emplace_back(
            "Every seed draws other matrices to learn from, the same for all contenders, and "
            "all are tested with the same matrices; intervals are " +
            std::string(interval_words(experiment)) + ".");
        sentences.insert(sentences.end(), experiment.notes.begin(), experiment.notes.end());
        return sentences;
    }
    for (const TransferTargetFacts& target : experiment.targets)
        sentences.push_back(fmt::format(
            "{} was measured on {}; imagined machines were given the matrices and "
            "schedules of {}, and the paper's formula its times.",
            target.machine, counted(target.matrices, "matrix", "matrices"), target.imagined_from));
    if (std::string trained = training_sentence(experiment); !trained.empty())
        sentences.push_back(std::move(trained));
    sentences.emplace_back("Every seed draws other test matrices, which no source has seen, nor any form of "
                           "them; intervals are " +
                           std::string(interval_words(experiment)) + ".");
    sentences.insert(sentences.end(), experiment.notes.begin(), experiment.notes.end());
    return sentences;
}

} // namespace sparsight
