#include "gui/results/result_statements.h"

#include "gui/page/domain_words.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace sparsight {

namespace {

struct Findings {
    Q_DECLARE_TR_FUNCTIONS(sparsight::ResultFigures)
};

// Of Kendall's τ, which is 1 for the same order and −1 for the reverse.
constexpr double hardly_any_agreement = 0.1;
constexpr double no_agreement = 0.005; ///< shown as 0.00

constexpr double largest_honest_ratio = 1.25; ///< of 1 + mean gain over the geometric mean of the speedups

QString shown_name(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

QString interval_text(const std::optional<Interval>& interval) {
    return interval ? Findings::tr(" [%1, %2]").arg(percent_text(interval->low), percent_text(interval->high))
                    : QString();
}

/// "+42.0 % over fixed CSR [+30.0 %, +55.0 %]"; a certain loss as "5.10× as long as fixed CSR
/// [2.00× to 9.50×]". `margin` stands behind a gain; empty: its figure has none.
QString gain_text(const Estimate& gain, const QString& margin, const QString& mean, const QString& baseline) {
    const bool may_gain = gain.value >= 0 || (gain.interval && gain.interval->high >= 0);
    if (may_gain)
        return Findings::tr("%1 over %2%3").arg(percent_text(gain.value) + margin, baseline, mean) +
               interval_text(gain.interval);
    const auto times = [](double share) { return speedup_text(1 / (1 + share)); };
    const QString interval =
        gain.interval ? Findings::tr(" [%1 to %2]").arg(times(gain.interval->high), times(gain.interval->low))
                      : QString();
    return Findings::tr("takes %1 as long as %2%3").arg(times(gain.value), baseline, mean) + interval;
}

/// Of the geometric mean, as a gain.
Estimate typical_gain(const SpeedupSummary& summary) {
    Estimate gain = summary.geometric_mean;
    gain.value -= 1;
    if (gain.interval)
        gain.interval = Interval{gain.interval->low - 1, gain.interval->high - 1};
    return gain;
}

/// Whoever reads "τ = 0.02" should not have to know what to think of it.
QString remark_on_agreement(const std::optional<double>& tau) {
    if (!tau || *tau >= hardly_any_agreement)
        return {};
    const QString remark =
        *tau >= no_agreement           ? Findings::tr("; its ranking is little better than chance (τ = %1)")
        : *tau > -hardly_any_agreement ? Findings::tr("; its ranking is no better than chance (τ = %1)")
                                       : Findings::tr("; its ranking is worse than chance (τ = %1)");
    return remark.arg(std::abs(*tau) < no_agreement ? fixed_text(0, 2) : fixed_text(*tau, 2));
}

/// Which mean a figure is; empty where there is one workload alone.
QString mean_text(const SpeedupSummary& summary, bool is_geometric) {
    if (summary.workloads == 1)
        return {};
    return is_geometric ? Findings::tr(" in the geometric mean") : Findings::tr(" on average");
}

/// The margin of a figure that is uncertain.
QString margin_behind(double margin) {
    return QStringLiteral("\u00A0±\u00A0") + share_text(margin);
}

/// "The report’s figure, the mean of the gains, is +1618 %: road-net alone is 98.0× as fast."
QString report_figure(const EvaluatedModel& model) {
    const double gain = model.summary->mean_relative.value;
    const QString mean = percent_text(gain) + margin_text(model, 1 + gain);
    const auto most = std::ranges::max_element(
        model.workloads, {}, [](const EvaluatedWorkload& workload) { return workload.times.speedup(); });
    return most == model.workloads.end()
               ? Findings::tr("The report’s figure, the mean of the gains, is %1.").arg(mean)
               : Findings::tr("The report’s figure, the mean of the gains, is %1: %2 alone is %3 as fast.")
                     .arg(mean, shown_name(most->times.workload), shown_speedup(*most));
}

} // namespace

QString undecided_losses(const SpeedupSummary& summary) {
    QStringList parts;
    if (summary.within_noise > 0)
        parts << Findings::tr("%1 within noise").arg(count_text(static_cast<qint64>(summary.within_noise)));
    if (summary.noise_unknown > 0)
        parts << Findings::tr("%1 with unknown noise")
                     .arg(count_text(static_cast<qint64>(summary.noise_unknown)));
    return parts.join(QStringLiteral(", "));
}

QString shown_speedup(const EvaluatedWorkload& workload) {
    const double speedup = workload.times.speedup();
    const QString mark = QLatin1String(workload.mark().data(), std::ssize(workload.mark()));
    return mark + (workload.is_uncertain() ? speedup_with_margin(speedup, *workload.speedup_margin())
                                           : speedup_text(speedup));
}

QString margin_text(const EvaluatedModel& model, double of) {
    return model.is_uncertain() ? margin_behind(*model.margin() * of) : QString();
}

bool is_mean_misleading(const SpeedupSummary& summary) {
    return 1 + summary.mean_relative.value > largest_honest_ratio * summary.geometric_mean.value;
}

namespace {

/// How close it comes to the best, in a domain without a baseline.
QString finding_on_regret(const EvaluatedModel& model, const ModelEvaluation& evaluation) {
    const DomainWords& words = evaluation.words;
    const SpeedupSummary& summary = *model.summary;
    const bool is_exact = evaluation.workloads_with_exact_regret() == evaluation.workloads();
    if (model.best_known_found() == summary.workloads)
        return (is_exact ? Findings::tr("%1: its choice is the fastest one on %2 of %3%4.")
                         : Findings::tr("%1: its choice is the best known one on %2 of %3%4."))
            .arg(shown_name(model.name), count_text(static_cast<qint64>(summary.workloads)),
                 counted(static_cast<qint64>(summary.workloads), words.workload),
                 remark_on_agreement(model.kendall_tau));
    const QString sentence =
        is_exact ? Findings::tr("%1: %2 slower than %3%4, exact as every time is known; it found "
                                "the fastest for %5 of %6%7.")
                 : Findings::tr("%1: %2 slower than %3%4; it found the best known for %5 of %6%7.");
    return sentence.arg(shown_name(model.name), share_text(summary.regret.value),
                        is_exact ? Findings::tr("the fastest %1").arg(one(words.configuration))
                                 : reference(words),
                        mean_text(summary, false) + interval_text(summary.regret.interval),
                        QString::number(model.best_known_found()),
                        counted(static_cast<qint64>(summary.workloads), words.workload),
                        remark_on_agreement(model.kendall_tau));
}

} // namespace

QString finding(const EvaluatedModel& model, const ModelEvaluation& evaluation) {
    const TimeSource source = evaluation.source;
    if (!model.summary)
        return Findings::tr("%1: nothing that it chose has a time yet.").arg(shown_name(model.name));
    if (!evaluation.words.baseline)
        return finding_on_regret(model, evaluation);
    const SpeedupSummary& summary = *model.summary;
    const bool misleads = is_mean_misleading(summary);
    const Estimate gain = misleads ? typical_gain(summary) : summary.mean_relative;
    const QString noise = undecided_losses(summary);
    const QString kind = source == TimeSource::Simulated ? Findings::tr(" (simulated)") : QString();
    const QString mean = mean_text(summary, misleads);
    // All at once: a model may be called "%5".
    const QString first = Findings::tr("%1: %2%3; slower on %4 of %5%7%6.")
                              .arg(shown_name(model.name),
                                   gain_text(gain, misleads ? QString() : margin_text(model, 1 + gain.value),
                                             mean, one(*evaluation.words.baseline)),
                                   kind, QString::number(summary.slower),
                                   counted(static_cast<qint64>(summary.workloads), evaluation.words.workload),
                                   remark_on_agreement(model.kendall_tau),
                                   noise.isEmpty() ? noise : Findings::tr(" (%1)").arg(noise));
    if (!misleads)
        return first;
    return first + u' ' + report_figure(model);
}

QString findings(const ModelEvaluation& evaluation) {
    QStringList lines;
    std::vector<const EvaluatedModel*> timed;
    for (const EvaluatedModel& model : evaluation.models) {
        lines << finding(model, evaluation);
        if (model.summary)
            timed.push_back(&model);
    }
    if (timed.size() < 3 || timed.size() < evaluation.models.size() || !evaluation.words.baseline)
        return lines.join(u'\n');
    const bool misleads = std::ranges::any_of(
        timed, [](const EvaluatedModel* model) { return is_mean_misleading(*model->summary); });
    const auto gain = [misleads](const EvaluatedModel* model) {
        return misleads ? typical_gain(*model->summary).value : model->summary->mean_relative.value;
    };
    const auto shown_gain = [&gain, misleads](const EvaluatedModel* model) {
        return percent_text(gain(model)) + (misleads ? QString() : margin_text(*model, 1 + gain(model)));
    };
    std::ranges::stable_sort(timed, std::greater(), gain);
    const EvaluatedModel& best = *timed.front();
    QStringList losers;
    QStringList undecided;
    QStringList unordered;
    for (const EvaluatedModel* model : timed) {
        const SpeedupSummary& summary = *model->summary;
        if (summary.slower > 0)
            losers << Findings::tr("%1 on %2").arg(shown_name(model->name), QString::number(summary.slower));
        if (summary.noise_unknown > 0)
            undecided << Findings::tr("%1 on %2")
                             .arg(shown_name(model->name), QString::number(summary.noise_unknown));
        if (!remark_on_agreement(model->kendall_tau).isEmpty())
            unordered << shown_name(model->name);
    }
    const QString kind =
        evaluation.source == TimeSource::Simulated ? Findings::tr(" (simulated)") : QString();
    const Estimate of_best = misleads ? typical_gain(*best.summary) : best.summary->mean_relative;
    const bool may_be_none = of_best.interval && of_best.interval->low <= 0;
    QString all =
        (may_be_none ? Findings::tr("%1 comes first: %2 over %9%3%4%5; the other %6 models: %7 to %8.")
                     : Findings::tr("%1 gains most: %2 over %9%3%4%5; the other %6 models: %7 to %8."))
            .arg(shown_name(best.name), shown_gain(timed.front()), mean_text(*best.summary, misleads),
                 interval_text(of_best.interval), kind, QString::number(timed.size() - 1),
                 shown_gain(timed.back()), shown_gain(timed[1]), one(*evaluation.words.baseline));
    if (misleads)
        all += u' ' + report_figure(best);
    if (may_be_none)
        all += u' ' + Findings::tr("It may gain nothing on other %1.").arg(many(evaluation.words.workload));
    const QString workloads =
        counted(static_cast<qint64>(best.summary->workloads), evaluation.words.workload);
    all += u' ' + (losers.isEmpty()
                       ? (undecided.isEmpty() ? Findings::tr("None is slower on any of %1.")
                                              : Findings::tr("None is known to be slower on any of %1."))
                             .arg(workloads)
                       : Findings::tr("Choices are slower on some of %1: %2.")
                             .arg(workloads, losers.join(QStringLiteral(", "))));
    if (!undecided.isEmpty())
        all += u' ' +
               Findings::tr("Other losses have unknown noise: %1.").arg(undecided.join(QStringLiteral(", ")));
    if (!unordered.isEmpty())
        all += u' ' + Findings::tr("The scores of %1 do not order their choices.")
                          .arg(unordered.join(QStringLiteral(", ")));
    return all;
}

QString what_is_missing(const ModelEvaluation& evaluation, RunState state) {
    QStringList sentences;
    const bool has_margin = std::ranges::any_of(evaluation.models, [](const EvaluatedModel& model) {
        return model.is_uncertain() || std::ranges::any_of(model.workloads, &EvaluatedWorkload::is_uncertain);
    });
    if (has_margin)
        sentences
            << (evaluation.source == TimeSource::Measured
                    ? Findings::tr("±: the times vary from turn to turn, and the figure is uncertain by "
                                   "more than 6 %. The computer may be busy: close other programs and "
                                   "evaluate again.")
                    : Findings::tr("±: the times vary from turn to turn, and the figure is uncertain by "
                                   "more than 6 %."));
    for (const EvaluatedModel& model : evaluation.models)
        if (model.summary && model.summary->workloads > 1 && model.summary->families < fewest_families) {
            sentences << (model.summary->families == 1
                              ? Findings::tr("One family of %1: too few for an interval.")
                              : Findings::tr("Two families of %1: too few for an interval."))
                             .arg(many(evaluation.words.workload));
            break;
        }
    if (state == RunState::Stopped)
        sentences << Findings::tr("The evaluation was stopped before its end.");
    else if (state == RunState::Failed)
        sentences << Findings::tr("The evaluation failed before its end.");
    if (!evaluation.left_out.empty()) {
        const LeftOutWorkload& first = evaluation.left_out.front();
        sentences << Findings::tr("Left out: %1 (%2: %3).")
                         .arg(counted(static_cast<qint64>(evaluation.left_out.size()),
                                      evaluation.words.workload),
                              shown_name(first.workload), shown_name(first.reason));
    }
    return sentences.join(u' ');
}

} // namespace sparsight
