#include "learn/finetune_blend.h"

#include "base/plural.h"
#include "learning/blend_report.h"

#include <fmt/format.h>
#include <utility>

namespace sparsight {

namespace {

/// "0.031 of the best 5, 0.004 of the best 20"
std::string regrets_text(const PicksLoss& loss) {
    std::string text;
    for (std::size_t at = 0; at < judged_picks.size(); ++at)
        text += fmt::format("{}{:.4f} of the best {}", at > 0 ? ", " : "", loss.regret[at], judged_picks[at]);
    return text;
}

/// What pairs would have chosen is not what scores, and why.
std::optional<std::string> picks_remark(const BlendFit& fit) {
    const std::string regrets = fmt::format("(regrets on matrices that were kept back: network {}; simulator "
                                            "{}; both {})",
                                            regrets_text(fit.network_picks),
                                            regrets_text(fit.simulator_picks), regrets_text(fit.picks));
    switch (fit.reason) {
    case DirectionReason::Pairs:
        return std::nullopt;
    case DirectionReason::Moved:
        return "the shares are not those that order most pairs: the best schedules by those are slower than "
               "by one of the two alone, so the nearest shares were taken that are worse in neither " +
               regrets;
    case DirectionReason::PicksOnly:
        return "pairs in order and top picks disagree on the shares: none are as good as the better one "
               "alone "
               "in both, so the top picks decided, which are what a search measures " +
               regrets;
    }
    return std::nullopt;
}

void add_kept_back(Metrics& kept_back, const BlendFit& fit) {
    kept_back = {
        {"network", fit.network_in_order}, {"simulator", fit.simulator_in_order}, {"both", fit.in_order}};
    for (std::size_t at = 0; at < judged_picks.size(); ++at) {
        const std::string metric = fmt::format("regret_at_{}", judged_picks[at]);
        kept_back["network_" + metric] = fit.network_picks.regret[at];
        kept_back["simulator_" + metric] = fit.simulator_picks.regret[at];
        kept_back["both_" + metric] = fit.picks.regret[at];
    }
}

} // namespace

Result<Metrics> metrics_before(const FinetuneTest& test, const ModelDescription& model,
                               const NamedTensors& weights) {
    if (model.blend) {
        const auto before = report_blend(test.examples, weights, *model.blend, test.loss, 0, test.matrices,
                                         test.threads, test.stop);
        return before ? Result<Metrics>(before->both.by_name()) : std::unexpected(before.error());
    }
    const auto before = report_ranking(test.examples, weights, test.loss, 0, test.matrices, test.stop);
    return before ? Result<Metrics>(before->by_name()) : std::unexpected(before.error());
}

Result<void> test_after(const FinetuneTest& test, const NamedTensors& weights, FinetuneOutcome& outcome) {
    if (!outcome.blend) {
        const auto after = report_ranking(test.examples, weights, test.loss, 0, test.matrices, test.stop);
        if (!after)
            return std::unexpected(after.error());
        outcome.after = after->by_name();
        return {};
    }
    const auto after = report_blend(test.examples, weights, *outcome.blend, test.loss, 0, test.matrices,
                                    test.threads, test.stop);
    if (!after)
        return std::unexpected(after.error());
    outcome.after = after->both.by_name();
    outcome.network_alone = after->network.by_name();
    outcome.simulator_alone = after->simulator.by_name();
    outcome.simulator_alone.erase("loss"); // a logarithm of time is no score
    return {};
}

Result<void> blend_into(FinetuneOutcome& outcome, ExampleStore& examples, std::span<const std::size_t> tuned,
                        const BlendingOptions& options, const MetaParameters& start,
                        const ProgressSink& progress, const std::stop_token& stop) {
    if (tuned.empty()) {
        outcome.remarks.emplace_back(
            "the simulator has no share in the model: there is no matrix to calibrate "
            "it with");
        return {};
    }
    const auto fitted = fit_simulator_blend(examples, 0, tuned, options, start, stop, progress);
    if (!fitted) {
        if (fitted.error().fault != Fault::Input)
            return std::unexpected(fitted.error());
        // The measurements say nothing of the machine: the network has learned all the same.
        outcome.remarks.push_back("the simulator has no share in the model: " + fitted.error().message);
        return {};
    }
    outcome.blend = fitted->blend;
    if (fitted->fit.matrices > 0)
        add_kept_back(outcome.kept_back, fitted->fit);
    outcome.shares_by = fitted->fit.is_learned ? fitted->fit.reason : DirectionReason::Pairs;
    if (fitted->fit.is_learned)
        if (auto remark = picks_remark(fitted->fit))
            outcome.remarks.push_back(*std::move(remark));
    if (fitted->fit.matrices > 0 && !fitted->fit.is_learned)
        outcome.remarks.emplace_back("no weights could be learned, so the simulator scores alone: the order "
                                     "that network and simulator give to the matrices that were kept back "
                                     "is farther off where it is wrong than right elsewhere");
    if (!fitted->is_crossed)
        outcome.remarks.push_back(fmt::format("the shares of network and simulator are a guess: {} learned "
                                              "from, and keeping back one after the "
                                              "other takes three that are not alike; so they are those of "
                                              "the network before it was fine-tuned, "
                                              "and of the simulator before it was calibrated",
                                              counted(tuned.size(), "matrix is", "matrices are")));
    return {};
}

} // namespace sparsight
