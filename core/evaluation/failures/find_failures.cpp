#include "evaluation/failures/find_failures.h"

#include "evaluation/estimates.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

namespace sparsight {

ScoreCalibration::ScoreCalibration(const EvaluatedModel& model, int k) {
    for (const EvaluatedWorkload& workload : model.workloads) {
        std::vector<double> scores;
        std::vector<double> times;
        for (const EvaluatedCandidate& candidate : workload.candidates) {
            if (candidate.rank > k || !candidate.score || candidate.status != MeasurementStatus::Measured ||
                !(candidate.median_ms.value_or(0) > 0))
                continue;
            scores.push_back(*candidate.score);
            times.push_back(std::log(*candidate.median_ms));
        }
        if (scores.size() < 2)
            continue;
        const double score_mean = mean(scores);
        const double time_mean = mean(times);
        Sums& sums = by_workload_[workload.times.workload];
        for (std::size_t at = 0; at < scores.size(); ++at) {
            sums.scores += (scores[at] - score_mean) * (scores[at] - score_mean);
            sums.both += (scores[at] - score_mean) * (times[at] - time_mean);
        }
        all_.scores += sums.scores;
        all_.both += sums.both;
    }
}

std::optional<double> ScoreCalibration::factor(const std::string& workload, double score,
                                               double other_score) const {
    Sums others = all_;
    if (const auto own = by_workload_.find(workload); own != by_workload_.end()) {
        others.scores -= own->second.scores;
        others.both -= own->second.both;
        if (by_workload_.size() == 1)
            return std::nullopt;
    }
    if (!(others.scores > 0) || !(others.both > 0))
        return std::nullopt;
    return std::exp(others.both / others.scores * (score - other_score));
}

namespace {

/// By a time that can be compared with those of the others: where some were measured in turns, with these.
bool is_timed(const EvaluatedWorkload& workload, const EvaluatedCandidate& candidate) {
    if (workload.turns > 0)
        return candidate.turns_ms.has_value();
    return candidate.status && has_time(*candidate.status) && candidate.median_ms.value_or(0) > 0;
}

/// Where nothing was measured a spread of 0 is none.
std::optional<double> known_spread(std::optional<double> spread_ms, TimeSource source) {
    return source != TimeSource::Measured && spread_ms == 0.0 ? std::nullopt : spread_ms;
}

/// Kendall's τ that an order without any relation to the times exceeds in one of 20 cases: its variance over
/// all orders of n is 2 (2n + 5) / (9 n (n − 1)) (Kendall, "A new measure of rank correlation", Biometrika
/// 1938), and it is nearly normal.
double tau_by_chance(std::size_t count) {
    constexpr double one_in_twenty = 1.645;
    if (count < 2)
        return 1;
    const auto n = static_cast<double>(count);
    return one_in_twenty * std::sqrt(2 * (2 * n + 5) / (9 * n * (n - 1)));
}

/// All ways in which one model fails on one workload.
class WorkloadFailures {
public:
    WorkloadFailures(const ModelEvaluation& evaluation, const EvaluatedWorkload& workload,
                     const FailureContext& context, const FailureOptions& options)
        : evaluation_(evaluation)
        , workload_(workload)
        , context_(context)
        , options_(options)
        , best_(own_best())
        , first_(first_choice()) {}

    void find_slower_than_baseline() {
        add(FailureKind::SlowerThanBaseline, FailureAgainst::Baseline, best_, baseline(),
            options_.slower_than_baseline);
    }
    /// Where the baseline is the best known, being slower than it says so already.
    void find_high_regret() {
        if (evaluation_.words.baseline &&
            workload_.best_known_configuration == workload_.baseline_configuration)
            return;
        add(FailureKind::HighRegret, FailureAgainst::BestKnown, best_, best_known(), options_.regret);
    }
    void find_mis_ranked() {
        if (!first_)
            return;
        const bool is_against_order = workload_.kendall_tau && *workload_.kendall_tau < options_.worst_tau &&
                                      *workload_.kendall_tau < -tau_by_chance(ranked());
        add(FailureKind::MisRanked, FailureAgainst::OwnBest, *first_, best_,
            is_against_order ? options_.slower_than_baseline : options_.mis_ranked, workload_.kendall_tau);
    }
    /// Against the baseline where the model scored it, otherwise against what turned out the fastest of its
    /// k.
    void find_over_confident(const ScoreCalibration& foreseen) {
        if (!first_)
            return;
        const EvaluatedCandidate* other = candidate([&](const EvaluatedCandidate& each) {
            return each.is_baseline && each.score && is_timed(workload_, each);
        });
        const bool is_baseline = other != nullptr;
        if (!is_baseline)
            other = candidate([&](const EvaluatedCandidate& each) {
                return each.rank == best_.rank && each.score.has_value();
            });
        const EvaluatedCandidate* first =
            candidate([](const EvaluatedCandidate& each) { return each.rank == 1 && each.score; });
        if (other == nullptr || first == nullptr)
            return;
        const auto factor = foreseen.factor(workload_.times.workload, *first->score, *other->score);
        if (factor && *factor * (1 + options_.over_confident) <= 1)
            add(FailureKind::OverConfident, is_baseline ? FailureAgainst::Baseline : FailureAgainst::OwnBest,
                *first_, is_baseline ? baseline() : best_, options_.slower_than_baseline, factor);
    }
    void find_outside_training(double distance) {
        add(FailureKind::OutsideTraining, FailureAgainst::BestKnown, best_, best_known(),
            options_.outside_training, distance);
    }

    [[nodiscard]] std::vector<FailureSign> take() { return std::move(signs_); }

private:
    template <typename Condition>
    [[nodiscard]] const EvaluatedCandidate* candidate(const Condition& condition) const {
        const auto found = std::ranges::find_if(workload_.candidates, condition);
        return found == workload_.candidates.end() ? nullptr : &*found;
    }
    [[nodiscard]] TimedConfiguration timed(const EvaluatedCandidate& each) const {
        if (workload_.turns > 0)
            return {.configuration = each.configuration,
                    .milliseconds = *each.turns_ms,
                    .spread_ms = each.turns_spread_ms,
                    .rank = each.rank,
                    .error_ms = each.turns_error_ms,
                    .turn_ratios = each.turn_ratios};
        return {each.configuration, *each.median_ms, known_spread(each.spread_ms, evaluation_.source),
                each.status == MeasurementStatus::GaveUp, each.rank};
    }
    /// The number of the k that τ covers.
    [[nodiscard]] std::size_t ranked() const {
        return static_cast<std::size_t>(
            std::ranges::count_if(workload_.candidates, [&](const EvaluatedCandidate& each) {
                return each.rank <= evaluation_.k && each.score && each.status == MeasurementStatus::Measured;
            }));
    }
    [[nodiscard]] TimedConfiguration own_best() const {
        const EvaluatedCandidate* found = candidate([&](const EvaluatedCandidate& each) {
            return each.rank <= evaluation_.k && is_timed(workload_, each) &&
                   each.configuration == workload_.best_configuration;
        });
        TimedConfiguration best{
            workload_.best_configuration, workload_.times.best_ms, {}, workload_.best_was_given_up};
        if (found != nullptr)
            best = timed(*found);
        if (workload_.best_told)
            tell(best, workload_.times.best_ms, *workload_.best_told);
        return best;
    }
    /// With the shortest time of its program: the model chose the program.
    [[nodiscard]] std::optional<TimedConfiguration> first_choice() {
        const EvaluatedCandidate* found = candidate(
            [&](const EvaluatedCandidate& each) { return each.rank == 1 && is_timed(workload_, each); });
        if (found == nullptr)
            return std::nullopt;
        TimedConfiguration first = timed(*found);
        for (const EvaluatedCandidate& each : workload_.candidates)
            if (is_timed(workload_, each) && each.status == MeasurementStatus::Measured &&
                program_of(each.configuration) == program_of(first.configuration))
                if (const TimedConfiguration other = timed(each); other.milliseconds < first.milliseconds) {
                    first.milliseconds = other.milliseconds;
                    first.spread_ms = other.spread_ms;
                    first.error_ms = other.error_ms;
                    first.turn_ratios = other.turn_ratios;
                    first.is_at_least = false;
                }
        return first;
    }
    [[nodiscard]] TimedConfiguration baseline() const {
        const EvaluatedCandidate* found =
            candidate([](const EvaluatedCandidate& each) { return each.is_baseline; });
        return {.configuration = found != nullptr ? found->configuration : workload_.baseline_configuration,
                .milliseconds = workload_.times.baseline_ms,
                .spread_ms = known_spread(workload_.baseline_spread_ms, evaluation_.source),
                .turn_ratios = std::vector<double>(static_cast<std::size_t>(workload_.turns), 1)};
    }
    [[nodiscard]] TimedConfiguration best_known() const {
        TimedConfiguration best{workload_.best_known_configuration, workload_.times.best_known_ms,
                                known_spread(workload_.best_known_spread_ms, evaluation_.source)};
        if (workload_.best_known_told)
            tell(best, workload_.times.best_known_ms, *workload_.best_known_told);
        return best;
    }
    static void tell(TimedConfiguration& time, double milliseconds, const ToldTime& told) {
        time.milliseconds = milliseconds;
        time.spread_ms = told.spread_ms;
        time.error_ms = told.error_ms;
        time.turn_ratios = told.turn_ratios;
        time.raw_ms = told.raw_ms;
        time.turns_agree = told.turns_agree;
    }

    void add(FailureKind kind, FailureAgainst held_against, const TimedConfiguration& chosen,
             const TimedConfiguration& against, double threshold, std::optional<double> figure = {}) {
        if (program_of(chosen.configuration) == program_of(against.configuration))
            return;
        FailureSign sign{kind, held_against, chosen, against, Significance::NoiseUnknown, figure};
        for (TimedConfiguration* const side : {&sign.chosen, &sign.against})
            if (const auto known = evaluation_.nicknames.find(side->configuration);
                known != evaluation_.nicknames.end())
                side->nickname = known->second;
        sign.significance = significance_of(sign.chosen, sign.against, options_.assumed_noise);
        if (sign.lost_ms() > 0 && sign.lost_share() >= threshold &&
            sign.significance != Significance::WithinNoise)
            signs_.push_back(std::move(sign));
    }

    const std::string& program_of(const std::string& configuration) {
        const auto [place, is_new] = programs_of_.try_emplace(configuration);
        if (is_new)
            place->second =
                context_.program ? context_.program(workload_.times.workload, configuration) : configuration;
        return place->second;
    }

    const ModelEvaluation& evaluation_;
    const EvaluatedWorkload& workload_;
    const FailureContext& context_;
    const FailureOptions& options_;
    std::map<std::string, std::string> programs_of_; ///< by configuration
    TimedConfiguration best_;
    std::optional<TimedConfiguration> first_;
    std::vector<FailureSign> signs_;
};

/// Where the pattern lies outside of what the model was trained on.
std::optional<Unfamiliarity> outside_training(const FailureContext& context, ModelId model,
                                              const StatisticVector* statistics) {
    const auto range = context.trained_on.find(model);
    if (statistics == nullptr || range == context.trained_on.end())
        return std::nullopt;
    auto found = unfamiliarity(range->second, *statistics);
    return found.is_outside ? std::optional(std::move(found)) : std::nullopt;
}

} // namespace

Significance significance_of(const TimedConfiguration& chosen, const TimedConfiguration& against,
                             double assumed_noise) {
    if (chosen.turn_ratios.size() > 1 && chosen.turn_ratios.size() == against.turn_ratios.size())
        return ratio_of_told({chosen.turn_ratios, chosen.turns_agree},
                             {against.turn_ratios, against.turns_agree})
                       .differs()
                   ? Significance::BeyondNoise
                   : Significance::WithinNoise;
    const auto spread = [&](const TimedConfiguration& time) {
        return time.spread_ms || assumed_noise <= 0 ? time.spread_ms
                                                    : std::optional(assumed_noise * time.milliseconds);
    };
    const auto of_chosen = spread(chosen);
    const auto of_against = spread(against);
    if (!of_chosen || !of_against)
        return Significance::NoiseUnknown;
    return differ_beyond_noise(chosen.milliseconds - against.milliseconds, *of_chosen, *of_against)
               ? Significance::BeyondNoise
               : Significance::WithinNoise;
}

void sort_by_loss(std::vector<FailureCase>& cases) {
    std::ranges::stable_sort(cases, [](const FailureCase& a, const FailureCase& b) {
        return std::tuple(-a.lost_ms(), -a.main().lost_ms(), a.model_name, a.workload) <
               std::tuple(-b.lost_ms(), -b.main().lost_ms(), b.model_name, b.workload);
    });
}

std::vector<FailureCase> find_failures(const ModelEvaluation& evaluation, const FailureContext& context,
                                       const FailureOptions& options) {
    std::vector<FailureCase> cases;
    for (const EvaluatedModel& model : evaluation.models) {
        const ScoreCalibration foreseen(model, evaluation.k);
        for (const EvaluatedWorkload& workload : model.workloads) {
            const auto known = context.statistics.find(workload.times.workload);
            const StatisticVector* statistics = known == context.statistics.end() ? nullptr : &known->second;
            const auto family = context.families.find(workload.times.workload);
            WorkloadFailures failures(evaluation, workload, context, options);
            if (evaluation.words.baseline)
                failures.find_slower_than_baseline();
            failures.find_high_regret();
            failures.find_mis_ranked();
            failures.find_over_confident(foreseen);
            const auto outside = outside_training(context, model.id, statistics);
            if (outside)
                failures.find_outside_training(outside->distance);
            auto signs = failures.take();
            if (signs.empty())
                continue;
            cases.push_back({.model = model.id,
                             .model_name = model.name,
                             .workload = workload.times.workload,
                             .times = evaluation.source,
                             .signs = std::move(signs),
                             .is_workload_known = statistics != nullptr,
                             .family = family == context.families.end() ? WorkloadFamily() : family->second,
                             .unfamiliar = outside ? outside->beyond : std::vector<UnfamiliarStatistic>()});
        }
    }
    sort_by_loss(cases);
    return cases;
}

} // namespace sparsight
