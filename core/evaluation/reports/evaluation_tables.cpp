#include "evaluation/reports/evaluation_tables.h"

#include "base/milliseconds.h"
#include "base/text.h"
#include "evaluation/time_differences.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

namespace sparsight {

namespace {

/// "20 %", without a sign.
std::string share_text(double share) {
    return fmt::format("{:.3g} %", share * 100);
}

std::string share_text(const Estimate& estimate) {
    if (!estimate.interval)
        return share_text(estimate.value);
    return fmt::format("{} [{:.3g}, {:.3g}]", share_text(estimate.value), estimate.interval->low * 100,
                       estimate.interval->high * 100);
}

/// "1.24 [1.18, 1.30]".
std::string factor_text(const Estimate& estimate) {
    if (!estimate.interval)
        return fmt::format("{:.2f}", estimate.value);
    return fmt::format("{:.2f} [{:.2f}, {:.2f}]", estimate.value, estimate.interval->low,
                       estimate.interval->high);
}

Estimate inverse(const Estimate& factor) {
    Estimate inverted{1 / factor.value, std::nullopt};
    if (factor.interval)
        inverted.interval = Interval{1 / factor.interval->high, 1 / factor.interval->low};
    return inverted;
}

/// Of the reference's time over the model's: "shorter by a factor of 1.30 [1.10, 1.60]".
std::string ratio_text(const Estimate& factor) {
    if (factor.value >= 1)
        return fmt::format("shorter by a factor of {}", factor_text(factor));
    return fmt::format("longer by a factor of {}", factor_text(inverse(factor)));
}

/// From there on a time of the baseline is more likely one that was interrupted than what it takes: of WACO's
/// choices for 1,793 workloads, as others recorded them, all but three are less than 2.3 times as fast, and
/// those three from 16 to 147,000 times.
constexpr double hardly_a_speedup = 10;
constexpr std::size_t most_named = 5;
/// Of two or three workloads the best one makes more than half of the mean as a rule.
constexpr std::size_t fewest_for_a_mean = 4;
/// Between mean relative speedups; below it lies the noise of the times themselves.
constexpr double clear_difference = 0.01;

/// Workloads that decide what a mean says.
void add_outlier_sentences(const EvaluatedModel& model, TimeSource source, const DomainWords& words,
                           std::vector<std::string>& sentences) {
    const std::string& baseline = words.baseline->one;
    double sum = 0;
    const EvaluatedWorkload* largest = nullptr;
    std::vector<std::string> named;
    for (const std::size_t place : by_speedup(model)) {
        const EvaluatedWorkload& workload = model.workloads[place];
        sum += workload.times.speedup() - 1;
        if (largest == nullptr)
            largest = &workload;
        if (workload.times.speedup() >= hardly_a_speedup)
            named.push_back(fmt::format("{} ({}, {} {} ms)", workload.times.workload, speedup_text(workload),
                                        baseline, format_milliseconds(workload.times.baseline_ms)));
    }
    if (!named.empty()) {
        const std::size_t others = named.size() - std::min(named.size(), most_named);
        named.resize(std::min(named.size(), most_named));
        sentences.push_back(fmt::format(
            "{} took ten times as long as what {} chose, or longer, on {}{}: {}.", capitalised(baseline),
            model.name, fmt::join(named, ", "), others > 0 ? fmt::format(" and {} more", others) : "",
            source == TimeSource::Recorded
                ? fmt::format(
                      "in recorded times that is more likely a pause of the machine that was measured "
                      "into them than the worth of a {}",
                      words.configuration.one)
            : source == TimeSource::Simulated ? "a simulation says so, and no measurement"
                                              : "measure again (--again) before you believe it"));
    }
    if (model.workloads.size() < fewest_for_a_mean || sum <= 0)
        return;
    const double share = largest->times.speedup() - 1;
    const auto count = static_cast<double>(model.workloads.size());
    const double without = (sum - share) / (count - 1);
    if (share > sum / 2 && sum / count - without > clear_difference)
        sentences.push_back(fmt::format("One {}, {} ({}), makes more than half of {}'s mean relative "
                                        "speedup, which is {} without it: the geometric mean and the "
                                        "median say more.",
                                        words.workload.one, largest->times.workload, speedup_text(*largest),
                                        model.name, percent_text(without)));
}

/// "5 turns", "5 to 15 turns"; empty where a workload has been through none.
std::string turns_text(const ModelEvaluation& evaluation) {
    std::set<int> turns;
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedWorkload& workload : model.workloads)
            turns.insert(workload.turns);
    if (turns.empty() || *turns.begin() == 0)
        return {};
    const std::string most = counted(static_cast<std::size_t>(*turns.rbegin()), "turn", "turns");
    return turns.size() > 1 ? fmt::format("{} to {}", *turns.begin(), most) : most;
}

std::string source_text(TimeSource source) {
    switch (source) {
    case TimeSource::Measured:
        return "measured on";
    case TimeSource::Recorded:
        return "looked up among the recorded times of";
    case TimeSource::Simulated:
        return "simulated for";
    }
    return "";
}

} // namespace

std::string capitalised(std::string text) {
    if (!text.empty())
        text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
    return text;
}

std::string percent_text(double share) {
    return fmt::format("{:+.1f} %", share * 100);
}

std::string percent_text(const Estimate& estimate) {
    if (!estimate.interval)
        return percent_text(estimate.value);
    return fmt::format("{} [{:+.1f}, {:+.1f}]", percent_text(estimate.value), estimate.interval->low * 100,
                       estimate.interval->high * 100);
}

std::string speedup_text(double speedup) {
    return fmt::format("{:.2f}×", speedup);
}

std::string speedup_text(const Estimate& estimate) {
    if (!estimate.interval)
        return speedup_text(estimate.value);
    return fmt::format("{} [{:.2f}, {:.2f}]", speedup_text(estimate.value), estimate.interval->low,
                       estimate.interval->high);
}

std::string speedup_text(const EvaluatedWorkload& workload) {
    return fmt::format("{}{}{}", workload.mark(), speedup_text(workload.times.speedup()),
                       workload.is_uncertain() ? fmt::format(" ± {:.2f}", *workload.speedup_margin()) : "");
}

std::string mean_gain_text(const EvaluatedModel& model) {
    const double gain = model.summary->mean_relative.value;
    return percent_text(gain) +
           (model.is_uncertain() ? fmt::format(" ± {:.1f} %", *model.margin() * (1 + gain) * 100) : "");
}

namespace {

/// The margin of the turns stands before the brackets, where the figure is uncertain.
std::string gain_text(const Estimate& gain, const EvaluatedModel& model) {
    std::string figure = percent_text(gain);
    if (model.is_uncertain())
        figure.insert(std::min(figure.find(" ["), figure.size()),
                      fmt::format(" ± {:.1f} %", *model.margin() * (1 + gain.value) * 100));
    return figure;
}

/// How far a choice is behind what it is compared with: 0.25 for a speedup of 0.8.
Estimate behind(const Estimate& speedup) {
    Estimate regret = inverse(speedup);
    regret.value -= 1;
    if (regret.interval)
        regret.interval = Interval{regret.interval->low - 1, regret.interval->high - 1};
    return regret;
}

std::string tau_text(const EvaluatedModel& model) {
    return model.kendall_tau ? fmt::format("{:.2f}", *model.kendall_tau) : "–";
}

/// "3 % [1, 5]"; in words where there is none, in a table that does not count the best known ones.
std::string regret_text(const EvaluatedModel& model, const ModelEvaluation& evaluation) {
    const std::size_t workloads = model.workloads.size();
    if (model.best_known_found() < workloads)
        return share_text(model.summary->regret);
    const bool is_exact = evaluation.workloads_with_exact_regret() == evaluation.workloads();
    return fmt::format("its choice is {} on {} of {}", is_exact ? "the best one" : "the best known one",
                       workloads, workloads);
}

/// In a domain without a baseline.
TextTable regret_table(const ModelEvaluation& evaluation) {
    TextTable table{.header = {"model", fmt::format("behind {}", evaluation.best_title()), "median", "worst",
                               "best known found", "Kendall τ (chosen)"},
                    .rows = {}};
    for (const EvaluatedModel& model : evaluation.models) {
        if (!model.summary)
            continue;
        const SpeedupSummary& summary = *model.summary;
        table.rows.push_back(
            {model.name, share_text(summary.regret), share_text(behind(summary.median)),
             fmt::format("{} ({})", share_text(1 / summary.worst - 1), summary.worst_workload),
             fmt::format("{} of {}", model.best_known_found(), model.workloads.size()), tau_text(model)});
    }
    return table;
}

/// "25 % [7.15, 59.1], 1 within noise"; where the noise of a loss is unknown, numbers alone.
std::string slower_text(const SpeedupSummary& summary) {
    std::vector<std::string> parts{summary.losing ? share_text(*summary.losing)
                                                  : fmt::format("{} beyond noise", summary.slower)};
    if (summary.within_noise > 0)
        parts.push_back(fmt::format("{} within noise", summary.within_noise));
    if (summary.noise_unknown > 0)
        parts.push_back(fmt::format("{} with unknown noise", summary.noise_unknown));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// " (1 within noise, 2 with unknown noise)"
std::string undecided_text(const SpeedupComparison& figures) {
    std::vector<std::string> parts;
    if (figures.within_noise > 0)
        parts.push_back(fmt::format("{} within noise", figures.within_noise));
    if (figures.noise_unknown > 0)
        parts.push_back(fmt::format("{} with unknown noise", figures.noise_unknown));
    return parts.empty() ? std::string() : fmt::format(" ({})", fmt::join(parts, ", "));
}

} // namespace

TextTable summary_table(const ModelEvaluation& evaluation) {
    if (!evaluation.words.baseline)
        return regret_table(evaluation);
    const std::string& baseline = evaluation.words.baseline->one;
    TextTable table{.header = {"model", "mean relative speedup", fmt::format("with {} as fallback", baseline),
                               "geometric mean", "median", "slower than " + baseline, "worst",
                               fmt::format("behind {}", evaluation.best_title()), "Kendall τ (chosen)"},
                    .rows = {}};
    for (const EvaluatedModel& model : evaluation.models) {
        if (!model.summary)
            continue;
        const SpeedupSummary& summary = *model.summary;
        const auto worst = std::ranges::find(
            model.workloads, summary.worst_workload,
            [](const EvaluatedWorkload& each) -> const std::string& { return each.times.workload; });
        table.rows.push_back(
            {model.name, gain_text(summary.mean_relative, model),
             percent_text(summary.mean_relative_with_fallback), speedup_text(summary.geometric_mean),
             speedup_text(summary.median), slower_text(summary),
             fmt::format("{} ({})",
                         worst == model.workloads.end() ? speedup_text(summary.worst) : speedup_text(*worst),
                         summary.worst_workload),
             regret_text(model, evaluation), tau_text(model)});
    }
    return table;
}

std::vector<std::size_t> by_speedup(const EvaluatedModel& model) {
    std::vector<std::size_t> places(model.workloads.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::stable_sort(places, std::ranges::greater{},
                             [&](std::size_t place) { return model.workloads[place].times.speedup(); });
    return places;
}

TextTable workload_table(const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    TextTable table{.header = {words.workload.one}, .rows = {}};
    if (words.baseline)
        table.header.push_back(words.baseline->one + " ms");
    for (const EvaluatedModel& model : evaluation.models) {
        table.header.push_back(model.name + " ms");
        table.header.push_back(model.name + (words.baseline ? " speedup" : " behind"));
    }
    table.header.insert(table.header.end(), {"best known ms", "best known " + words.configuration.one});
    if (!evaluation.nicknames.empty())
        table.header.emplace_back("its code");
    if (evaluation.models.empty())
        return table;
    for (const std::size_t place : by_speedup(evaluation.models.front())) {
        const EvaluatedWorkload& first = evaluation.models.front().workloads[place];
        std::vector<std::string> row{first.times.workload};
        if (words.baseline)
            row.push_back(format_milliseconds(first.times.baseline_ms));
        for (const EvaluatedModel& model : evaluation.models) {
            const EvaluatedWorkload& workload = model.workloads[place];
            row.push_back((workload.best_was_given_up ? "> " : "") +
                          format_milliseconds(workload.times.best_ms));
            if (!words.baseline) {
                row.push_back((workload.best_was_given_up ? "> " : "") + share_text(workload.times.regret()));
                continue;
            }
            const auto margin = workload.speedup_margin();
            row.push_back(fmt::format("{}{}{}", workload.best_was_given_up ? "< " : workload.mark(),
                                      speedup_text(workload.times.speedup()),
                                      margin ? fmt::format(" ± {:.2f}", *margin) : ""));
        }
        row.push_back(format_milliseconds(first.times.best_known_ms));
        row.emplace_back(evaluation.name_of(first.best_known_configuration));
        if (!evaluation.nicknames.empty())
            row.push_back(first.best_known_configuration);
        table.rows.push_back(std::move(row));
    }
    return table;
}

namespace {

/// "spmm with dense extent 256".
std::string setting_text(const ModelEvaluation& evaluation) {
    std::string text;
    for (const SettingMember& member : evaluation.setting_members) {
        if (const auto* const word = std::get_if<std::string>(&member.value))
            text += (text.empty() ? "" : " ") + *word;
        if (const auto* const extent = std::get_if<std::int64_t>(&member.value))
            text += fmt::format(" with {} extent {}", member.key, *extent);
    }
    return text;
}

} // namespace

std::string setting_sentence(const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    std::string text = counted(evaluation.workloads(), words.workload.one, words.workload.many);
    if (const std::string setting = setting_text(evaluation); !setting.empty())
        text += ", " + setting;
    text +=
        fmt::format("; the best of {} {} that a model chose, {} {}", evaluation.k, words.configuration.many,
                    source_text(evaluation.source), evaluation.machine_with_condition());
    if (const std::string turns = turns_text(evaluation); !turns.empty())
        text += fmt::format(
            "; what is compared was measured once more, in {}{}", turns,
            turns != "1 turn" ? ", and the fastest has its time from turns that did not choose it" : "");
    return text;
}

std::string interval_sentence(const ModelEvaluation& evaluation) {
    if (evaluation.models.empty() || !evaluation.models.front().summary)
        return {};
    const Noun& workload = evaluation.words.workload;
    const std::size_t families = evaluation.models.front().summary->families;
    if (families < fewest_families)
        return fmt::format("{} of {}: too few for an interval; forms of one {} are one family.",
                           families < 2 ? "One family" : "Two families", workload.many, workload.one);
    return fmt::format(
        "In brackets: {:.0f} % intervals over {} families of {}, by Student's t with the error "
        "of {} resamples of families and turns{}.",
        interval_confidence * 100, families, workload.many, evaluation.bootstrap.resamples,
        evaluation.words.baseline ? "; those of shares are Wilson's" : "");
}

std::vector<std::string> comparison_sentences(const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    std::vector<std::string> sentences;
    for (const ModelComparison& comparison : evaluation.comparisons) {
        const SpeedupComparison& figures = comparison.figures;
        const auto& interval = figures.mean_relative_difference.interval;
        const auto& factor = figures.geometric_ratio.interval;
        const bool is_certain = interval && !interval->contains(0);
        const bool is_factor_certain = factor && !factor->contains(1);
        const bool is_uncertain = std::ranges::any_of(evaluation.models, [&](const EvaluatedModel& each) {
            return (each.name == comparison.model || each.name == comparison.reference) &&
                   each.is_uncertain();
        });
        sentences.push_back(fmt::format(
            "{} against {}: {}its times are {} (geometric mean{}); faster on {}, slower on {} of "
            "{} {}{}{}",
            comparison.model, comparison.reference,
            words.baseline ? fmt::format("mean relative speedup {} points; ",
                                         percent_text(figures.mean_relative_difference))
                           : std::string(),
            ratio_text(figures.geometric_ratio),
            is_uncertain
                ? fmt::format(", of speedups that are uncertain by more than {:.0f} %", 100 * precise_within)
                : std::string(),
            figures.first_faster, figures.second_faster, evaluation.workloads(), words.workload.many,
            undecided_text(figures),
            !interval || is_certain ? std::string()
            : is_factor_certain
                ? "; the interval of the factor does not contain 1, although that of the mean contains 0"
                : fmt::format("; the interval contains 0: these {} do not tell them apart",
                              words.workload.many)));
    }
    return sentences;
}

std::vector<std::string> remark_sentences(const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    std::vector<std::string> sentences;
    if (evaluation.is_of_description())
        sentences.push_back(fmt::format("The times are simulated from the description of {}, not measured.",
                                        evaluation.machine));
    else if (evaluation.source == TimeSource::Simulated)
        sentences.push_back(fmt::format(
            "The times are simulated from those that were collected, once for each {}. They are not from "
            "turns "
            "that were measured to compare models. A simulator that multiplies every time by the same "
            "factor, as the paper formula does, changes no speedup. An evaluation that measured in turns "
            "rests "
            "on other times. Its figures of the same model differ from these.",
            words.configuration.one));
    if (const auto exact = evaluation.workloads_with_exact_regret(); exact == evaluation.workloads())
        sentences.push_back(fmt::format("Regret is exact: all {} of these {} were tried on {}.",
                                        words.configuration.many, words.workload.many, evaluation.machine));
    else if (exact)
        sentences.push_back(fmt::format(
            "Regret is among the {} ones: of {} of {} {}, some {} have no time on {} and may be faster.",
            evaluation.source == TimeSource::Recorded ? "recorded" : "known", evaluation.workloads() - *exact,
            evaluation.workloads(), words.workload.many, words.configuration.many, evaluation.machine));
    std::set<std::string> uncertain;
    bool any_within_noise = false;
    bool any_of_unknown_noise = false;
    for (const EvaluatedModel& model : evaluation.models)
        for (const EvaluatedWorkload& workload : model.workloads) {
            any_within_noise = any_within_noise || !workload.mark().empty();
            any_of_unknown_noise = any_of_unknown_noise || workload.verdict() == Verdict::NoiseUnknown;
            if (workload.is_uncertain())
                uncertain.insert(workload.times.workload);
        }
    if (any_within_noise && words.baseline)
        sentences.push_back(
            fmt::format("~: the times of {} and of what was chosen differ by no more than noise, "
                        "or by less than {:.0f} %.",
                        words.baseline->one, 100 * equal_within));
    if (any_of_unknown_noise && words.baseline)
        sentences.emplace_back(
            "The noise of some times is unknown, so nothing is called faster or slower by them.");
    if (!uncertain.empty())
        sentences.push_back(fmt::format(
            "±: on {} a speedup may be off by more than {:.0f} %, by the 95 % interval over the "
            "turns.{}",
            fmt::join(uncertain, ", "), 100 * precise_within,
            evaluation.source == TimeSource::Measured ? " Close other programs and evaluate with --again."
                                                      : ""));
    std::vector<std::string> faster_since;
    if (!evaluation.models.empty())
        for (const EvaluatedWorkload& workload : evaluation.models.front().workloads)
            if (workload.has_faster_since)
                faster_since.push_back(workload.times.workload);
    if (!faster_since.empty())
        sentences.push_back(
            fmt::format("What may be faster was measured since on {}: evaluate again to compare it.",
                        fmt::join(faster_since, ", ")));
    for (const EvaluatedModel& model : evaluation.models)
        if (model.without_time > 0)
            sentences.push_back(
                fmt::format("{} of the {} {} that {} chose have no time (never tried there, too large, or "
                            "failed); the best of the others counts.",
                            model.without_time, model.chosen, words.configuration.many, model.name));
    if (words.baseline)
        for (const EvaluatedModel& model : evaluation.models)
            add_outlier_sentences(model, evaluation.source, words, sentences);
    for (const MissedTurns& missed : evaluation.missed_turns)
        sentences.push_back(
            fmt::format("{} could not be measured in turns on {}, and is compared with nothing "
                        "there{}. Evaluate with --again to try once more.",
                        missed.configuration, missed.workload,
                        missed.error.empty() ? "" : ": " + missed.error)); // older workspaces kept none
    for (const LeftOutWorkload& workload : evaluation.left_out)
        sentences.push_back(fmt::format("{} is left out: {}.", workload.workload, workload.reason));
    return sentences;
}

nlohmann::ordered_json estimate_json(const std::optional<Estimate>& estimate) {
    if (!estimate)
        return nullptr;
    return {{"value", estimate->value},
            {"low", estimate->interval ? nlohmann::ordered_json(estimate->interval->low) : nullptr},
            {"high", estimate->interval ? nlohmann::ordered_json(estimate->interval->high) : nullptr}};
}

} // namespace sparsight
