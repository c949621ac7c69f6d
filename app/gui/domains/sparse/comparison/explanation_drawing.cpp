#include "gui/domains/sparse/comparison/explanation_drawing.h"

#include "evaluation/diagnosis/blame.h"
#include "evaluation/failures/failure_case.h"
#include "gui/domains/sparse/comparison/time_terms.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/page/machine_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace sparsight {

namespace {

struct ExplanationTexts {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Explanation)
};

WaterfallEnd end_of(const SideValues& side, const QString& key, const QString& label, ChartColour colour) {
    return {key, label, side.ms, side.spread_ms, side.is_at_least, colour};
}

WaterfallBar bar_of(const StepValues& step) {
    WaterfallBar bar;
    bar.key = step.decision;
    bar.label = decision_name(step.decision);
    bar.change = decision_change(step.before, step.after);
    bar.amount = step.ms;
    bar.factor = step.factor;
    bar.uncertainty = step.uncertainty_ms.value_or(std::numeric_limits<double>::quiet_NaN());
    bar.is_significant = step.is_significant;
    bar.note = decision_meaning(step.decision);
    if (step.is_same_program)
        bar.note += u' ' + ExplanationTexts::tr("The program stays the same, so it costs nothing.");
    if (!step.is_sign_decided)
        bar.note += u' ' + ExplanationTexts::tr("It helps some schedules between both and harms others, so "
                                                "it is not decided whether it helps.");
    if (step.is_bounded)
        bar.note += u' ' + ExplanationTexts::tr("Times that were cut off are behind it.");
    return bar;
}

/// Whether some share is longer than either time: orders of the changes lead through schedules that are far
/// slower than both. Then shares are told as factors, which never exceed what they explain.
bool multiplies(const ExplanationValues& shown) {
    const double longest = std::max(shown.against.ms, shown.schedule.ms);
    return std::ranges::any_of(shown.steps,
                               [&](const StepValues& step) { return std::abs(step.ms) > longest; }) &&
           std::ranges::all_of(shown.steps, [](const StepValues& step) {
               return step.factor > 0 && std::isfinite(step.factor);
           });
}

/// "split of i as 4 instead of none"
QString change_text(const QString& decision, const QString& after, const QString& before) {
    const auto said = [](const QString& value) {
        return value == QStringLiteral("not split") ? ExplanationTexts::tr("none") : decision_value(value);
    };
    return ExplanationTexts::tr("%1 as %2 instead of %3")
        .arg(decision_name(decision), said(after), said(before));
}

QString change_of(const StepValues& step) {
    return change_text(step.decision, step.after, step.before);
}

/// Where no decision is named, by the same rule and in the same words as in lists of failures.
QString no_cause_sentence(const ExplanationValues& shown) {
    const bool is_gain = shown.difference_ms() < 0;
    const QString reason = QString::fromStdString(
        no_cause_text(shown.is_measured ? DiagnosisBasis::Measured : DiagnosisBasis::Simulated, is_gain));
    const QString all = duration_text(std::abs(shown.difference_ms()));
    return (is_gain ? ExplanationTexts::tr("Not explained: %1. All decisions together save %2.")
                    : ExplanationTexts::tr("Not diagnosed: %1. All decisions together cost %2."))
        .arg(reason, all);
}

/// What a factor of the time makes of a schedule: "4.52× as fast", "2.90 % faster", "3.40× as slow"
QString speed_text(double factor) {
    constexpr double told_as_factor = 1.1;
    if (factor * told_as_factor <= 1)
        return ExplanationTexts::tr("%1 as fast").arg(speedup_text(1 / factor));
    if (factor < 1)
        return ExplanationTexts::tr("%1 faster").arg(share_text(1 - factor));
    return factor < 2 ? ExplanationTexts::tr("%1 slower").arg(share_text(factor - 1))
                      : ExplanationTexts::tr("%1 as slow").arg(speedup_text(factor));
}

/// What all decisions but this one do to its effect.
QString others_text(double factor, double others) {
    const bool is_saving = factor < 1;
    if ((others < 1) == is_saving)
        return is_saving ? ExplanationTexts::tr("The other decisions save time as well")
                         : ExplanationTexts::tr("The other decisions cost time as well");
    const bool is_most = std::abs(std::log(others)) > std::abs(std::log(factor)) / 2;
    if (is_saving)
        return is_most ? ExplanationTexts::tr("The other decisions take most of that back")
                       : ExplanationTexts::tr("The other decisions take some of that back");
    return is_most ? ExplanationTexts::tr("The other decisions win most of that back")
                   : ExplanationTexts::tr("The other decisions win some of that back");
}

/// The decision that changes the time most, and what all do.
QString factor_sentence(const ExplanationValues& shown, const StepValues& most) {
    const double all = shown.schedule.ms / shown.against.ms;
    return (shown.difference_ms() <= 0
                ? ExplanationTexts::tr("The largest saving: %1. Its share alone makes the schedule %2. %3: "
                                       "all together make it %4 (%5).")
                : ExplanationTexts::tr("The most costly decision: %1. Its share alone makes the schedule %2. "
                                       "%3: all together make it %4 (%5)."))
        .arg(change_of(most), speed_text(most.factor), others_text(most.factor, all / most.factor),
             speed_text(all),
             shown.is_measured ? ExplanationTexts::tr("measured") : ExplanationTexts::tr("simulated"));
}

StackedBar stacked_bar(const SideValues& side, const QString& key, const QString& label, bool is_measured) {
    StackedBar bar;
    bar.key = key;
    bar.label = label;
    bar.parts.assign(side.parts.begin(), side.parts.end());
    if (is_measured)
        bar.marker = side.ms;
    return bar;
}

/// "A, B and C"
QString enumerated(const QStringList& parts) {
    if (parts.size() < 2)
        return parts.join(QString());
    return ExplanationTexts::tr("%1 and %2")
        .arg(parts.first(parts.size() - 1).join(QStringLiteral(", ")), parts.last());
}

/// Of a schedule that takes less time: the decision that saves most.
QString gain_sentence(const ExplanationValues& shown, const StepValues& most) {
    const double gain = -shown.difference_ms();
    const QString what = change_of(most);
    const QString all = shown.is_measured ? ExplanationTexts::tr("%1 (measured)").arg(duration_text(gain))
                                          : ExplanationTexts::tr("%1 (simulated)").arg(duration_text(gain));
    const double share = -most.ms / gain;
    if (share > 1.005)
        return ExplanationTexts::tr("The largest saving: %1 saves %2. Other decisions cost some of it. The "
                                    "gain is %3.")
            .arg(what, duration_text(-most.ms), all);
    if (share >= 0.995 && shown.steps.size() == 1)
        return ExplanationTexts::tr("One decision alone: %1 saves %2.").arg(what, all);
    return ExplanationTexts::tr("The largest saving: %1 saves %2, %3 of the gain of %4.")
        .arg(what, duration_text(-most.ms), share_text(share), all);
}

/// Of a schedule that takes longer: the decision that costs most.
QString cost_sentence(const ExplanationValues& shown, const StepValues& most) {
    const double share = most.ms / shown.difference_ms();
    const QString what = change_of(most);
    const QString cost = duration_text(most.ms);
    if (share > 1.005)
        return (shown.is_measured
                    ? ExplanationTexts::tr("The most costly decision: %1 costs %2, more than the whole "
                                           "measured difference of %3. Others win some of it back.")
                    : ExplanationTexts::tr("The most costly decision: %1 costs %2, more than the whole "
                                           "simulated difference of %3. Others win some of it back."))
            .arg(what, cost, duration_text(shown.difference_ms()));
    if (share >= 0.995 && shown.steps.size() == 1)
        return (shown.is_measured ? ExplanationTexts::tr("One decision alone: %1 costs %2.")
                                  : ExplanationTexts::tr("One decision alone: %1 costs %2, simulated."))
            .arg(what, cost);
    return (shown.is_measured
                ? ExplanationTexts::tr("The most costly decision: %1 costs %2, %3 of the measured difference "
                                       "of %4.")
                : ExplanationTexts::tr(
                      "The most costly decision: %1 costs %2, %3 of the simulated difference "
                      "of %4."))
        .arg(what, cost, share_text(share), duration_text(shown.difference_ms()));
}

QString taken_back(const DecisionValues& decision) {
    return change_text(decision.decision, decision.after, decision.before);
}

} // namespace

QString against_key() {
    return QStringLiteral("against");
}

QString schedule_key() {
    return QStringLiteral("schedule");
}

WaterfallPicture waterfall_picture(const ExplanationValues& shown, const SideTitles& titles) {
    WaterfallPicture picture;
    picture.axis = {shown.is_measured ? ExplanationTexts::tr("measured time")
                                      : ExplanationTexts::tr("simulated time"),
                    QStringLiteral("ms"),
                    false,
                    ValueFormat::Number,
                    {},
                    {},
                    false};
    picture.hatched = !shown.is_measured;
    picture.from = end_of(shown.against, against_key(), titles.against, ChartColour::Reference);
    picture.to = end_of(shown.schedule, schedule_key(), titles.schedule,
                        shown.difference_ms() > 0 ? ChartColour::Lose : ChartColour::Win);
    for (const StepValues& step : shown.steps)
        picture.steps.push_back(bar_of(step));
    if (multiplies(shown)) {
        picture.axis.logarithmic = true;
        for (WaterfallBar& bar : picture.steps) {
            bar.note += u' ' + ExplanationTexts::tr("Share in milliseconds: %1 ms, over all orders.")
                                   .arg(significant(bar.amount));
            bar.uncertainty = std::numeric_limits<double>::quiet_NaN();
        }
        std::ranges::stable_sort(picture.steps, std::ranges::greater(), &WaterfallBar::factor);
    }
    if (shown.difference_ms() < 0) // of a gain the largest saving stands first
        std::ranges::reverse(picture.steps);
    return picture;
}

StackedPicture terms_picture(const ExplanationValues& shown, const SideTitles& titles) {
    StackedPicture picture;
    picture.axis = {ExplanationTexts::tr("simulated time"), {}, false, ValueFormat::Duration, {}, {}, false};
    picture.marker_name = ExplanationTexts::tr("measured");
    picture.terms = time_terms();
    picture.bars = {stacked_bar(shown.against, against_key(), titles.against, shown.is_measured),
                    stacked_bar(shown.schedule, schedule_key(), titles.schedule, shown.is_measured)};
    return picture;
}

QString blame_sentence(const ExplanationValues& shown) {
    if (shown.steps.empty())
        return ExplanationTexts::tr("Both schedules mean the same.");
    if (shown.is_same_program)
        return ExplanationTexts::tr("Both schedules are one program here: their loops, their storage and the "
                                    "shares of the threads are the same. Whatever their times differ by is "
                                    "noise.");
    if (shown.difference_ms() == 0)
        return ExplanationTexts::tr("Both schedules take equally long.");
    const bool is_gain = shown.difference_ms() < 0;
    const StepValues& most = is_gain ? *std::ranges::min_element(shown.steps, {}, &StepValues::ms)
                                     : *std::ranges::max_element(shown.steps, {}, &StepValues::ms);
    if (!is_cause(is_gain ? -most.ms : most.ms, most.is_significant))
        return no_cause_sentence(shown);
    // Share and factor weigh times differently: where they point in two directions, none is the cause.
    if (multiplies(shown))
        return is_gain == (most.factor < 1) ? factor_sentence(shown, most) : no_cause_sentence(shown);
    return is_gain ? gain_sentence(shown, most) : cost_sentence(shown, most);
}

QString disagreement_sentence(const Disagreement& disagreement, const QString& clock,
                              const SideTitles& titles, const QString& machine) {
    return ExplanationTexts::tr(
               "%1: %2 times as long as %3; simulated on %4: %5 times. The two disagree by a "
               "factor of %6, so do not trust the simulated parts here.")
        .arg(clock, significant(disagreement.measured_factor), titles.against, machine,
             significant(disagreement.simulated_factor), significant(disagreement.apart()));
}

QString simulation_distance(const ExplanationValues& simulated, double against_ms, double schedule_ms) {
    return ExplanationTexts::tr("Simulated, they take %1 and %2: %3 and %4 times the known %5 and %6.")
        .arg(duration_text(simulated.against.ms), duration_text(simulated.schedule.ms),
             significant(simulated.against.ms / against_ms), significant(simulated.schedule.ms / schedule_ms),
             duration_text(against_ms), duration_text(schedule_ms));
}

QString far_off_text(double simulated_ms, double simulation_error, const ClockTime& known, bool is_recorded,
                     const QString& schedule) {
    const double known_ms = known.milliseconds.value_or(0);
    const bool may_take_as_long = known.is_at_least && simulated_ms >= known_ms;
    if (known_ms <= 0 || may_take_as_long ||
        !is_far_off(simulated_ms, known_ms, known.spread_ms, simulation_error))
        return {};
    const QString simulation = schedule.isEmpty()
                                   ? ExplanationTexts::tr("The simulation")
                                   : ExplanationTexts::tr("The simulation of %1").arg(schedule);
    const QString at_least = known.is_at_least ? QStringLiteral("≥ ") : QString();
    return (is_recorded ? ExplanationTexts::tr(
                              "%1 takes %2; the recorded time is %3. Read the parts below with care.")
                        : ExplanationTexts::tr(
                              "%1 takes %2; the measured time is %3. Read the parts below with care."))
        .arg(simulation, duration_text(simulated_ms), at_least + duration_text(known_ms));
}

QString blame_method(const ExplanationValues& shown) {
    if (shown.steps.empty())
        return {};
    QString text =
        shown.is_exact
            ? ExplanationTexts::tr("Exact Shapley values over %1 schedules between both.")
                  .arg(count_text(static_cast<qint64>(shown.hybrids)))
            : ExplanationTexts::tr("Shapley values of %1 drawn pairs of orders among %2 schedules.")
                  .arg(count_text(static_cast<qint64>(shown.draws)),
                       count_text(static_cast<qint64>(shown.hybrids)));
    if (multiplies(shown))
        text += u' ' + ExplanationTexts::tr("A decision counts over all orders of the changes, also by way "
                                            "of slow schedules in between. Its share is a factor: all "
                                            "factors multiply to the whole.");
    if (shown.without_time > 0)
        text += u' ' + ExplanationTexts::tr("%1 of them can’t be built and are left out.")
                           .arg(count_text(static_cast<qint64>(shown.without_time)));
    return text;
}

QString mechanism_sentence(const ExplanationValues& shown, const SideTitles& titles) {
    const auto grown = [&](std::size_t term) {
        return shown.schedule.parts[term] - shown.against.parts[term];
    };
    std::size_t most = 0;
    std::size_t least = 0;
    for (std::size_t term = 1; term < time_term_count; ++term) {
        if (grown(term) > grown(most))
            most = term;
        if (grown(term) < grown(least))
            least = term;
    }
    // Of two that were but simulated nobody knows better.
    if (!shown.simulation_agrees && !shown.is_measured)
        return grown(least) < 0
                   ? ExplanationTexts::tr("Simulated, %1 is no slower: what shrinks most is %2, by %3.")
                         .arg(titles.schedule, time_term_words(all_time_terms()[least]).name,
                              duration_text(-grown(least)))
                   : ExplanationTexts::tr("Simulated, %1 is no slower.").arg(titles.schedule);
    if (!shown.simulation_agrees)
        return ExplanationTexts::tr(
                   "The simulation takes %1 for the faster one, so do not trust its parts here.")
            .arg(titles.schedule);
    if (grown(most) <= 0)
        return {};
    const TimeTermWords words = time_term_words(all_time_terms()[most]);
    return ExplanationTexts::tr("What grows most is %1, by %2: %3.")
        .arg(words.name, duration_text(grown(most)), words.meaning);
}

namespace {

/// Two digits are enough of what is that uncertain.
QString short_percent(double share) {
    const double percent = 100 * share;
    return with_unit(fixed_text(percent, percent < 10 ? 1 : 0), QStringLiteral("%"));
}

/// "7 % faster than fixed CSR, within the error of ± 8 %"; an error of 0 is none to tell.
QString compared(double ratio, double error, const QString& other) {
    constexpr double nothing = 0.005;
    const double apart = std::abs(ratio - 1);
    const QString text =
        apart < nothing ? ExplanationTexts::tr("as fast as %1").arg(other)
        : ratio >= 2    ? ExplanationTexts::tr("%1 as long as %2").arg(speedup_text(ratio), other)
        : ratio < 1     ? ExplanationTexts::tr("%1 faster than %2").arg(short_percent(apart), other)
                        : ExplanationTexts::tr("%1 slower than %2").arg(short_percent(apart), other);
    if (error <= 0)
        return text;
    if (ratio >= 2)
        return (apart <= error ? ExplanationTexts::tr("%1 as long as %2, which is within the error")
                               : ExplanationTexts::tr("%1 as long as %2"))
            .arg(speedup_with_margin(ratio, ratio * error), other);
    return apart <= error
               ? ExplanationTexts::tr("%1, within the error of ± %2").arg(text, short_percent(error))
               : ExplanationTexts::tr("%1 (± %2)").arg(text, short_percent(error));
}

/// With a space before it; empty where nothing was tried.
QString nearest_sentence(const ScheduleChangeValues& change, const SideTitles& titles) {
    if (change.nearest.empty() || !change.nearest_ratio || change.nearest == change.removal)
        return {};
    QStringList decisions;
    for (const DecisionValues& decision : change.nearest)
        decisions << taken_back(decision);
    return ExplanationTexts::tr(" It comes nearest with %1: %2.")
        .arg(enumerated(decisions), compared(*change.nearest_ratio, change.nearest_error, titles.against));
}

/// With a space before it; empty where nothing does.
QString removal_sentence(const ScheduleChangeValues& change, const SideTitles& titles) {
    if (change.removal.empty())
        return {};
    QStringList decisions;
    for (const DecisionValues& decision : change.removal)
        decisions << taken_back(decision);
    return ExplanationTexts::tr(" It is %2 with %1: that removes the loss.")
        .arg(enumerated(decisions), compared(change.removal_ratio, change.removal_error, titles.against));
}

QString capitalised(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

} // namespace

QString schedule_change_sentence(const ExplanationValues& shown, const SideTitles& titles) {
    if (!shown.schedule_change)
        return {};
    const ScheduleChangeValues& change = *shown.schedule_change;
    QStringList decisions;
    for (const DecisionValues& decision : change.decisions)
        decisions << taken_back(decision);
    const QString time = !change.ms ? unknown_text()
                         : shown.is_measured
                             ? duration_text(*change.ms)
                             : ExplanationTexts::tr("%1 (simulated)").arg(duration_text(*change.ms));
    const QString what = enumerated(decisions);
    const QString removal = removal_sentence(change, titles);
    if (change.is_other_side && !removal.isEmpty())
        return removal.trimmed() + u' ' +
               (shown.is_measured
                    ? ExplanationTexts::tr("Nothing that was tried beats %1.").arg(titles.against)
                    : ExplanationTexts::tr("Nothing that was tried beats %1 (simulated).")
                          .arg(titles.against)) +
               nearest_sentence(change, titles);
    if (change.is_other_side)
        return (shown.is_measured
                    ? ExplanationTexts::tr("Nothing less than all of %1 would do.").arg(titles.against)
                    : ExplanationTexts::tr("Nothing less than all of %1 would do (simulated).")
                          .arg(titles.against)) +
               nearest_sentence(change, titles);
    if (change.turns > 0)
        return ExplanationTexts::tr("It takes %2 with %1 and beats %3, in %4 turns with it.")
                   .arg(what, time, titles.against, QString::number(change.turns)) +
               removal;
    return ExplanationTexts::tr("It takes %2 with %1 and beats %3.").arg(what, time, titles.against) +
           removal;
}

QStringList machine_change_sentences(const ExplanationValues& shown) {
    QStringList sentences;
    for (const MachineChangeValues& change : shown.machine_changes) {
        const auto parameter = parse_machine_parameter(change.parameter.toStdString());
        if (!parameter)
            continue;
        sentences << ExplanationTexts::tr("%1 at %2 instead of %3: %4 against %5.")
                         .arg(parameter_words(*parameter).name, parameter_text(*parameter, change.after),
                              parameter_text(*parameter, change.before), duration_text(change.schedule_ms),
                              duration_text(change.against_ms));
    }
    return sentences;
}

QStringList pattern_change_sentences(const ExplanationValues& shown) {
    QStringList sentences;
    for (const PatternChangeValues& change : shown.pattern_changes) {
        const QString measured =
            !change.wins_measured ? QString()
            : *change.wins_measured
                ? ExplanationTexts::tr(", and so it does measured")
                : ExplanationTexts::tr(", though measured it does not win beyond the noise");
        sentences << ExplanationTexts::tr("%1: %2 against %3%4.")
                         .arg(capitalised(change.description), duration_text(change.schedule_ms),
                              duration_text(change.against_ms), measured);
    }
    return sentences;
}

QString losing_pattern_sentence(const ExplanationValues& shown) {
    if (!shown.pattern_changes.empty() || shown.losing_patterns.empty())
        return {};
    const PatternChangeValues& nearest = shown.losing_patterns.front();
    return ExplanationTexts::tr(
               "None of %n change(s) of the pattern makes it win (simulated). Nearest: where %1 it "
               "takes %2 against %3.",
               nullptr, static_cast<int>(shown.losing_patterns.size()))
        .arg(nearest.description, duration_text(nearest.schedule_ms), duration_text(nearest.against_ms));
}

QString time_text(const SideValues& side, bool is_measured) {
    if (side.is_at_least)
        return QStringLiteral("≥ ") + duration_text(side.ms);
    if (!is_measured)
        return ExplanationTexts::tr("%1 simulated").arg(duration_text(side.ms));
    return duration_with_spread(side.ms, side.spread_ms);
}

} // namespace sparsight
