#include "evaluation/transfer_tables.h"

#include "base/plural.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace sparsight {

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
