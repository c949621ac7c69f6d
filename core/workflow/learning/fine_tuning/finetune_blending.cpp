#include "workflow/learning/fine_tuning/finetune_blending.h"

#include "base/text.h"

#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace sparsight {

namespace {

/// "0.031 of the best 5, 0.004 of the best 20"
std::string regrets_text(const SelectionLoss& loss) {
    std::string text;
    for (std::size_t at = 0; at < judged_selections.size(); ++at)
        text += fmt::format("{}{:.4f} of the best {}", at > 0 ? ", " : "", loss.regret[at],
                            judged_selections[at]);
    return text;
}

/// What pairs would have chosen is not what scores, and why.
std::optional<std::string> picks_remark(const BlendFit& fit, const DomainWords& words) {
    const std::string regrets =
        fmt::format("(regrets on {} that were kept back: network {}; simulator {}; "
                    "both {})",
                    words.workload.many, regrets_text(fit.network_picks), regrets_text(fit.simulator_picks),
                    regrets_text(fit.held_out_picks));
    switch (fit.reason) {
    case DirectionReason::Pairs:
        return std::nullopt;
    case DirectionReason::Moved:
        return fmt::format("the shares are not those that put most pairs in the right order: the best {} by "
                           "those are slower "
                           "than by one of the two alone, so the nearest shares were taken that are worse in "
                           "neither {}",
                           words.configuration.many, regrets);
    case DirectionReason::SelectionOnly:
        return "pairs in the right order and top picks disagree on the shares: none are as good as the "
               "better one "
               "alone in both, so the top picks decided, which are what a search measures " +
               regrets;
    }
    return std::nullopt;
}

void add_kept_back(Metrics& kept_back, const BlendFit& fit) {
    kept_back = {
        {"network", fit.network_pairs}, {"simulator", fit.simulator_pairs}, {"both", fit.held_out_pairs}};
    for (std::size_t at = 0; at < judged_selections.size(); ++at) {
        const std::string metric = fmt::format("regret_at_{}", judged_selections[at]);
        kept_back["network_" + metric] = fit.network_picks.regret[at];
        kept_back["simulator_" + metric] = fit.simulator_picks.regret[at];
        kept_back["both_" + metric] = fit.held_out_picks.regret[at];
    }
}

} // namespace

Result<void> blend_into(FinetuneOutcome& outcome, const SimulatorBlending& blending, ExampleStore& examples,
                        std::span<const std::size_t> tuned, const BlendingOptions& options,
                        const MetaParameters& start, const ProgressSink& progress,
                        const std::stop_token& stop) {
    const Noun& noun = outcome.words.workload;
    if (tuned.empty()) {
        outcome.remarks.push_back(fmt::format(
            "the model does not use the simulator: there is no {} to calibrate it with", noun.one));
        return {};
    }
    const auto fitted = blending.fit(examples, 0, tuned, options, start, stop, progress);
    if (!fitted) {
        if (fitted.error().fault != Fault::Input)
            return std::unexpected(fitted.error());
        // The measurements say nothing of the machine: the network has learned all the same.
        outcome.remarks.push_back("the model does not use the simulator: " + fitted.error().message);
        return {};
    }
    outcome.blend = fitted->blend;
    if (fitted->fit.workloads > 0)
        add_kept_back(outcome.kept_back, fitted->fit);
    outcome.shares_by = fitted->fit.is_learned ? fitted->fit.reason : DirectionReason::Pairs;
    if (fitted->fit.is_learned)
        if (auto remark = picks_remark(fitted->fit, outcome.words))
            outcome.remarks.push_back(*std::move(remark));
    if (fitted->fit.workloads > 0 && !fitted->fit.is_learned)
        outcome.remarks.push_back(
            fmt::format("no weights could be learned, so the simulator scores alone: the "
                        "order that network and simulator give to the {} that were kept "
                        "back is farther off where it is wrong than right elsewhere",
                        noun.many));
    outcome.is_share_doubtful = fitted->is_known;
    if (!fitted->is_crossed)
        outcome.remarks.push_back(fmt::format("the shares of network and simulator are a guess: {} learned "
                                              "from, and keeping back one after the "
                                              "other takes three that are not alike; so they are those of "
                                              "the network before it was fine-tuned, "
                                              "and of the simulator before it was calibrated",
                                              counted(tuned.size(), noun.one + " is", noun.many + " are")));
    return {};
}

} // namespace sparsight
