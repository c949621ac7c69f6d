#include "evaluation/rematch_times.h"

#include "evaluation/known_times.h"
#include "evaluation/time_differences.h"
#include "store/workspace.h"
#include "study/measurement.h"

#include <algorithm>
#include <span>
#include <utility>

namespace sparsight {

namespace {

/// The measured configurations, the fastest first.
std::vector<Configuration> fastest_of(std::span<const Configuration> chosen, const KnownTimes& times) {
    std::vector<std::pair<double, const Configuration*>> timed;
    for (const Configuration& each : chosen)
        if (const ResultRecord* row = times.find(each);
            row != nullptr && row->status == MeasurementStatus::Measured && row->median_ms)
            timed.emplace_back(*row->median_ms, &each);
    std::ranges::stable_sort(timed, {}, &std::pair<double, const Configuration*>::first);
    std::vector<Configuration> fastest;
    for (const auto& [ms, configuration] :
         std::span(timed).first(std::min(timed.size(), contenders_of_a_model)))
        fastest.push_back(*configuration);
    return fastest;
}

/// What the model chose for the workload, in its order.
Result<std::vector<Configuration>> chosen_by(Workspace& workspace, const ConfigurationCodec& codec, RunId run,
                                             ModelId model, WorkloadId workload) {
    const auto records = list_choice_records(workspace, run, model, workload);
    if (!records)
        return std::unexpected(records.error());
    std::vector<Configuration> chosen;
    for (const ChoiceRecord& record : *records) {
        const auto parsed = codec.parse(record.chosen.configuration.text);
        if (!parsed)
            return std::unexpected(parsed.error());
        chosen.push_back(parsed->configuration);
    }
    return chosen;
}

} // namespace

Result<Contenders> contenders(Workspace& workspace, const Domain& domain, const EvaluationScope& scope,
                              WorkloadId workload, const std::string& name) {
    const auto codec = domain.codec(scope.setting);
    if (!codec)
        return std::unexpected(codec.error());
    const auto times = KnownTimes::read(workspace, **codec, query_of(scope, name));
    if (!times)
        return std::unexpected(times.error());
    if (times->baseline() == nullptr)
        return Contenders{};
    std::vector<Configuration> found{times->configuration_of(*times->baseline())};
    const auto add = [&](const Configuration& configuration) {
        if (std::ranges::find(found, configuration) == found.end())
            found.push_back(configuration);
    };
    std::vector<std::vector<Configuration>> choices;
    for (const ModelId model : scope.models) {
        const auto chosen = chosen_by(workspace, **codec, scope.run, model, workload);
        if (!chosen)
            return std::unexpected(chosen.error());
        const std::span<const Configuration> all(*chosen);
        const auto best = all.first(std::min(all.size(), static_cast<std::size_t>(scope.k)));
        const auto fastest = fastest_of(best, *times);
        if (fastest.empty())
            return Contenders{};
        choices.emplace_back(best.begin(), best.end());
        for (const Configuration& configuration : fastest)
            add(configuration);
        const ResultRecord* const first = times->find(chosen->front());
        if (first != nullptr && first->status == MeasurementStatus::Measured)
            add(chosen->front()); // how wrong the model was about it is asked, too
    }
    const std::vector<const ResultRecord*> known = times->fastest(known_contenders);
    for (const ResultRecord* row : std::span(known).first(std::min(known.size(), contenders_of_all)))
        add(times->configuration_of(*row));
    Contenders contenders{
        .configurations = {}, .choices = std::move(choices), .engine_since = times->engine_since()};
    contenders.of_models.resize(contenders.choices.size());
    for (const ResultRecord* row : known)
        if (const Configuration& challenger = times->configuration_of(*row);
            std::ranges::find(found, challenger) == found.end())
            contenders.challengers.push_back(challenger);
    for (const Configuration& configuration : found)
        contenders.add(configuration);
    return contenders;
}

void Contenders::add(const Configuration& challenger) {
    for (std::size_t model = 0; model < choices.size(); ++model)
        if (std::ranges::find(choices[model], challenger) != choices[model].end())
            of_models[model].push_back(configurations.size());
    configurations.push_back(challenger);
}

namespace {

double median_ms(const ConfigurationTurns& time) {
    return median_of(std::vector<Milliseconds>(time.turns_ms.begin(), time.turns_ms.end())).count();
}

/// Some of the configurations that took their turns, for the question which is the fastest.
class Field {
public:
    explicit Field(const ConfigurationTurns& baseline)
        : baseline_(baseline) {}

    void add(std::string text, const ConfigurationTurns& time) {
        texts_.push_back(std::move(text));
        times_.emplace_back(time.turns_ms);
    }
    [[nodiscard]] bool is_empty() const { return times_.empty(); }
    [[nodiscard]] FastestByTurn fastest() const { return fastest_by_turn(times_, baseline_.turns_ms); }
    [[nodiscard]] ToldTime told(const FastestByTurn& fastest) const {
        const double baseline_ms = median_ms(baseline_);
        ToldTime told{.spread_ms = baseline_ms * fastest.told.spread,
                      .turn_ratios = fastest.ratios,
                      .raw_ms = baseline_ms * ratio_by_turn(times_[fastest.place], baseline_.turns_ms).ratio,
                      .turns_agree = fastest.turns_agree};
        if (fastest.told.error)
            told.error_ms = baseline_ms * *fastest.told.error;
        return told;
    }
    [[nodiscard]] const std::string& text(std::size_t place) const { return texts_[place]; }

private:
    const ConfigurationTurns& baseline_;
    std::vector<std::string> texts_;
    std::vector<TurnTimes> times_;
};

double spread_ms(const ConfigurationTurns& time) {
    return spread_of(std::vector<Milliseconds>(time.turns_ms.begin(), time.turns_ms.end())).count();
}

void tell(EvaluatedCandidate& candidate, const ConfigurationTurns& time, const ConfigurationTurns& fixed) {
    const TurnRatio relative = ratio_by_turn(time.turns_ms, fixed.turns_ms);
    candidate.turns_ms = median_ms(fixed) * relative.ratio;
    candidate.turns_spread_ms = candidate.is_baseline ? spread_ms(fixed) : median_ms(fixed) * relative.spread;
    if (relative.error)
        candidate.turns_error_ms = median_ms(fixed) * *relative.error;
    candidate.turn_ratios.clear();
    for (std::size_t turn = 0; turn < fixed.turns_ms.size(); ++turn)
        candidate.turn_ratios.push_back(time.turns_ms[turn] / fixed.turns_ms[turn]);
}

} // namespace

bool Contenders::are_precise(std::span<const ConfigurationTurns> times) const {
    if (times.empty() || times.front().turns_ms.empty())
        return true;
    return std::ranges::all_of(of_models, [&](const std::vector<std::size_t>& places) {
        Field field(times.front());
        for (const std::size_t place : places)
            if (times[place].turns_ms.size() == times.front().turns_ms.size())
                field.add("", times[place]);
        return field.is_empty() || field.fastest().told.is_precise();
    });
}

Result<RematchTimes> RematchTimes::read(Workspace& workspace, std::shared_ptr<const ConfigurationCodec> codec,
                                        RunId run, WorkloadId workload) {
    auto turns = list_turn_times(workspace, run, workload);
    if (!turns)
        return std::unexpected(std::move(turns).error());
    RematchTimes rematch;
    for (ConfigurationTurns& each : *turns) {
        const auto parsed = codec->parse(each.configuration.text);
        if (!parsed)
            return std::unexpected(parsed.error());
        rematch.times_.push_back({parsed->configuration, std::move(each)});
    }
    std::ranges::stable_sort(rematch.times_, [](const Time& a, const Time& b) {
        if (a.has_time() != b.has_time())
            return a.has_time();
        return a.has_time() && median_ms(a.measured) < median_ms(b.measured);
    });
    rematch.codec_ = std::move(codec);
    return rematch;
}

const RematchTimes::Time* RematchTimes::find(const Configuration& configuration) const {
    const auto found = std::ranges::find(times_, configuration, &Time::configuration);
    return found == times_.end() ? nullptr : &*found;
}

const RematchTimes::Time* RematchTimes::baseline() const {
    const auto found = std::ranges::find_if(
        times_, [](const Time& each) { return each.measured.configuration.is_baseline; });
    return found == times_.end() || !found->has_time() ? nullptr : &*found;
}

const RematchTimes::Time* RematchTimes::time_of(const Configuration& configuration,
                                                const Time& baseline) const {
    const Time* const found = find(configuration);
    return found != nullptr && found->measured.turns_ms.size() == baseline.measured.turns_ms.size() ? found
                                                                                                    : nullptr;
}

bool RematchTimes::are_of(const Contenders& contenders, int turns) const {
    const auto was_measured = [&](const Configuration& each) {
        const Time* const found = find(each);
        return found != nullptr &&
               (!found->has_time() || found->measured.turns_ms.size() >= static_cast<std::size_t>(turns));
    };
    const auto in_turns =
        static_cast<std::size_t>(std::ranges::count_if(contenders.challengers, was_measured));
    return contenders.configurations.size() + in_turns == times_.size() &&
           in_turns >= std::min(contenders.challengers.size(), challengers_in_turns) &&
           std::ranges::all_of(contenders.configurations, was_measured);
}

bool RematchTimes::have_likely_best(const Contenders& contenders) const {
    const std::vector<Configuration>& configurations = contenders.configurations;
    const Time* const baseline = configurations.empty() ? nullptr : find(configurations.front());
    if (baseline == nullptr || !baseline->has_time())
        return false;
    const auto was_measured = [&](std::size_t place) { return find(configurations[place]) != nullptr; };
    const auto has_time = [&](std::size_t place) {
        return time_of(configurations[place], *baseline) != nullptr;
    };
    return std::ranges::all_of(contenders.of_models, [&](const std::vector<std::size_t>& places) {
        return std::ranges::all_of(places, was_measured) && std::ranges::any_of(places, has_time);
    });
}

std::vector<ConfigurationTurns> RematchTimes::of(const Contenders& contenders) const {
    const auto contends = [&](const Time& time) {
        const auto is_among = [&](const std::vector<Configuration>& some) {
            return std::ranges::find(some, time.configuration) != some.end();
        };
        return time.measured.configuration.is_baseline || is_among(contenders.configurations) ||
               is_among(contenders.challengers) || std::ranges::any_of(contenders.choices, is_among);
    };
    std::vector<ConfigurationTurns> turns;
    for (const Time& time : times_)
        if (contends(time))
            turns.push_back(time.measured);
    return turns;
}

std::vector<MissedTurns> RematchTimes::missed(const std::string& workload) const {
    std::vector<MissedTurns> missed;
    for (const Time& time : times_)
        if (!time.has_time())
            missed.push_back({workload, time.measured.configuration.text, time.measured.error});
    return missed;
}

std::optional<FastestInTurns> RematchTimes::fastest() const {
    const Time* const fixed = baseline();
    if (fixed == nullptr)
        return std::nullopt;
    Field known(fixed->measured);
    for (const Time& time : times_)
        if (time_of(time.configuration, *fixed) != nullptr)
            known.add(time.measured.configuration.text, time.measured);
    const FastestByTurn fastest = known.fastest();
    FastestInTurns found{.configuration = known.text(fastest.place), .speedup = 1 / fastest.told.ratio};
    if (const auto margin = fastest.told.margin()) // of 1 / ratio, to the first order
        found.margin = *margin * found.speedup * found.speedup;
    return found;
}

void RematchTimes::apply_to(EvaluatedWorkload& evaluated, int k) const {
    const Time* const found = this->baseline();
    if (found == nullptr)
        return;
    const Time& baseline = *found;
    const ConfigurationTurns& fixed = baseline.measured;
    std::vector<EvaluatedCandidate> candidates = evaluated.candidates;
    Field chosen(fixed);
    for (EvaluatedCandidate& candidate : candidates) {
        const auto parsed = codec_->parse(candidate.configuration);
        const Time* const time = candidate.is_baseline ? &baseline
                                 : parsed              ? time_of(parsed->configuration, baseline)
                                                       : nullptr;
        if (time == nullptr)
            continue;
        tell(candidate, time->measured, fixed);
        if (candidate.rank <= k)
            chosen.add(candidate.configuration, time->measured);
    }
    if (chosen.is_empty())
        return;
    Field with_fallback = chosen;
    with_fallback.add("", fixed);
    Field known(fixed);
    for (const Time& time : times_)
        if (time_of(time.configuration, baseline) != nullptr)
            known.add(time.measured.configuration.text, time.measured);
    const FastestByTurn best = chosen.fastest();
    const FastestByTurn best_known = known.fastest();
    const auto known_before = codec_->parse(evaluated.best_known_configuration);
    const double baseline_ms = median_ms(fixed);

    // If the current best was not among the known configurations, it was measured since. Its time was taken
    // at another hour, so it is not compared.
    evaluated.has_faster_since = known_before && find(known_before->configuration) == nullptr;
    evaluated.turns = static_cast<int>(fixed.turns_ms.size());
    evaluated.collected_baseline_ms = evaluated.times.baseline_ms;
    evaluated.collected_baseline_spread_ms = evaluated.baseline_spread_ms;
    evaluated.times.baseline_ms = baseline_ms;
    evaluated.times.best_ms = baseline_ms * best.told.ratio;
    evaluated.times.best_known_ms = baseline_ms * best_known.told.ratio;
    evaluated.times.with_fallback_ms = baseline_ms * with_fallback.fastest().told.ratio;
    if (best.told.error) // of 1 / ratio, to the first order
        evaluated.speedup_error = *best.told.error / (best.told.ratio * best.told.ratio);
    evaluated.regret_error =
        ratio_of_told({best.ratios, best.turns_agree}, {best_known.ratios, best_known.turns_agree}).error;
    evaluated.best_told = chosen.told(best);
    evaluated.best_known_told = known.told(best_known);
    evaluated.baseline_spread_ms = spread_ms(fixed);
    evaluated.best_configuration = chosen.text(best.place);
    evaluated.best_was_given_up = false;
    evaluated.best_known_configuration = known.text(best_known.place);
    evaluated.best_known_spread_ms = evaluated.best_known_told->spread_ms;
    evaluated.candidates = std::move(candidates);
}

} // namespace sparsight
