#include "workflow/learning/fine_tuning/finetune_outcome.h"

#include "learning/training/model_verdicts.h"

#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace sparsight {

namespace {

constexpr const char* accuracy = "ordered_pair_accuracy";

std::optional<double> value_of(const Metrics& metrics, const std::string& metric) {
    const auto found = metrics.find(metric);
    return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

std::string no_share_remark(std::string_view without, std::string_view alone, const Metrics& kept_back) {
    std::string text = fmt::format("{0} has no share: on matrices that were kept back it adds no "
                                   "more than chance to {1} alone",
                                   without, alone);
    const auto network = value_of(kept_back, "network");
    const auto simulator = value_of(kept_back, "simulator");
    if (network && simulator)
        text += fmt::format(" (pairs in order: network {:.4f}, simulator {:.4f})", *network, *simulator);
    text += "; more matrices to learn from (--matrices) can change that";
    return text;
}

std::optional<std::string> worse_remark(const FinetuneOutcome& outcome) {
    const auto both = value_of(outcome.after, accuracy);
    const auto verdict = blend_verdict_of(value_of(outcome.network_alone, accuracy),
                                          value_of(outcome.simulator_alone, accuracy), both);
    if (!verdict || verdict->worth != BlendWorth::Worse)
        return std::nullopt;
    return fmt::format("on the test matrices both together are worse than {} alone (pairs in order: {:.4f} "
                       "and {:.4f}): the shares were right for the matrices that were learned from, and are "
                       "not for these",
                       verdict->better == BlendPart::Simulator ? "the simulator" : "the network", *both,
                       verdict->alone);
}

/// The mean of the regrets of the best 5 and 20, as the shares were chosen by.
std::optional<double> picks_regret(const Metrics& metrics) {
    const auto at_5 = value_of(metrics, "regret_at_5");
    const auto at_20 = value_of(metrics, "regret_at_20");
    return at_5 && at_20 ? std::optional((*at_5 + *at_20) / 2) : std::nullopt;
}

std::optional<std::string> worse_picks_remark(const FinetuneOutcome& outcome) {
    const auto both = picks_regret(outcome.after);
    const auto picks = selection_verdict_of(picks_regret(outcome.network_alone),
                                            picks_regret(outcome.simulator_alone), both);
    if (!picks || picks->worth != BlendWorth::Worse)
        return std::nullopt;
    std::string text = fmt::format(
        "on the test matrices the best schedules by both together are slower than those by {} alone (mean "
        "regret of the best 5 and 20: {:.4f} and {:.4f})",
        picks->better == BlendPart::Simulator ? "the simulator" : "the network", *both, picks->alone);
    const auto pairs =
        blend_verdict_of(value_of(outcome.network_alone, accuracy),
                         value_of(outcome.simulator_alone, accuracy), value_of(outcome.after, accuracy));
    if (pairs && contradict(*pairs, *picks))
        text += ", though they order no fewer pairs: the two disagree, and a search measures the best";
    return text;
}

} // namespace

std::vector<std::string> blend_remarks(const FinetuneOutcome& outcome) {
    std::vector<std::string> remarks;
    if (!outcome.blend)
        return remarks;
    const auto without = part_without_share(outcome.blend->network, outcome.blend->simulator);
    if (without && outcome.shares_by != DirectionReason::Pairs)
        remarks.emplace_back(
            *without == BlendPart::Network
                ? "the network has no share: the best schedules by the simulator alone are faster"
                : "the simulator has no share: the best schedules by the network alone are faster");
    else if (without == BlendPart::Network)
        remarks.push_back(no_share_remark("the network", "the simulator", outcome.kept_back));
    else if (without == BlendPart::Simulator)
        remarks.push_back(no_share_remark("the simulator", "the network", outcome.kept_back));
    if (auto worse = worse_remark(outcome))
        remarks.push_back(*std::move(worse));
    if (auto worse = worse_picks_remark(outcome))
        remarks.push_back(*std::move(worse));
    return remarks;
}

} // namespace sparsight
