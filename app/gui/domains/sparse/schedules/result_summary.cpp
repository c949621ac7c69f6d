#include "gui/domains/sparse/schedules/result_summary.h"

#include "domains/sparse/explanation/pages/collection_report.h"
#include "gui/domains/sparse/schedules/schedule_words.h"
#include "gui/workspace/configuration_times.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace sparsight {

namespace {

struct Headline {
    Q_DECLARE_TR_FUNCTIONS(sparsight::Headline)
};

QString coloured(const QString& text, const QColor& colour) {
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), text);
}

/// That the speedup of a schedule is over: "12.6 ms at that moment".
QString baseline_text(const ResultRow& schedule, const ResultRow& fixed_csr) {
    const QString time = duration_text(fixed_csr_ms(schedule, fixed_csr).value_or(0));
    return schedule.reference_ms ? Headline::tr("%1 at that moment").arg(time) : time;
}

QString bold(const std::string& nickname) {
    return QStringLiteral("<b>%1</b>").arg(QString::fromStdString(nickname).toHtmlEscaped());
}

/// "1.24×" in the colour of a win, or grey where it may be noise.
QString coloured_speedup(const RankedResult& result) {
    return coloured(speedup_text(result),
                    result.is_in_noise ? current_theme().dim_text : current_theme().win);
}

/// "12.6 ms instead of 16.6 ms at that moment"
QString times_text(const RankedResult& result, const ResultRow& fixed_csr) {
    return Headline::tr("%1 instead of %2")
        .arg(duration_text(result.row.median_ms.value_or(0)), baseline_text(result.row, fixed_csr));
}

/// For a best schedule other than fixed CSR that beats it beyond noise.
QString comparison(const ResultSummary& facts) {
    return Headline::tr("The best of %2 schedules on %1, %3, is %4 as fast as fixed CSR: %5.")
        .arg(facts.matrix.toHtmlEscaped(), count_text(static_cast<qint64>(facts.rivals)),
             bold(facts.best->nickname), coloured_speedup(*facts.best),
             times_text(*facts.best, facts.fixed_csr->row));
}

/// Where the best may be so by noise, and another schedule is not.
QString comparison_of_winner(const ResultSummary& facts) {
    if (facts.is_short)
        return Headline::tr("%1 is the fastest on %2 that clearly beats fixed CSR: %3, %4.")
            .arg(bold(facts.winner->nickname), facts.matrix.toHtmlEscaped(), coloured_speedup(*facts.winner),
                 times_text(*facts.winner, facts.fixed_csr->row));
    return Headline::tr(
               "%1 is the fastest on %2 that clearly beats fixed CSR: %3, %4. %5 may be faster (%6), "
               "but that may be noise.")
        .arg(bold(facts.winner->nickname), facts.matrix.toHtmlEscaped(), coloured_speedup(*facts.winner),
             times_text(*facts.winner, facts.fixed_csr->row), bold(facts.best->nickname),
             coloured_speedup(*facts.best));
}

/// Whether the verdict names the best one, and no other: then its long name is not said again.
bool names_best_alone(const ResultSummary& facts) {
    return facts.in_turns != nullptr ? facts.best->nickname == facts.in_turns->nickname
                                     : facts.winner == nullptr || facts.winner == facts.best;
}

/// Behind a verdict that noise may have decided: that times spread, and the link to measure again.
QString doubts(const ResultSummary& facts, bool is_in_noise) {
    const ResultRow& fixed_csr = facts.fixed_csr->row;
    const ResultRow& best = facts.best->row;
    QString noise = noise_sentence(Headline::tr("fixed CSR"), fixed_csr.median_ms, fixed_csr.spread_ms,
                                   facts.can_measure_again);
    if (noise.isEmpty())
        noise = noise_sentence(!best.is_fixed_csr && names_best_alone(facts)
                                   ? Headline::tr("this schedule")
                                   : QString::fromStdString(facts.best->nickname).toHtmlEscaped(),
                               best.median_ms, best.spread_ms, facts.can_measure_again);
    QString text = noise.isEmpty() || facts.is_short ? QString() : u' ' + noise;
    if (facts.can_measure_again && (is_in_noise || !noise.isEmpty()))
        text += Headline::tr(" <a href='again'>Measure both again</a> when the computer is idle.");
    return text;
}

/// Of schedules that noise alone may put before or behind fixed CSR.
QString no_clear_winner(const ResultSummary& facts, const QString& taken) {
    const ResultRow& fixed_csr = facts.fixed_csr->row;
    const RankedResult& other = facts.best->row.is_fixed_csr ? *facts.rival : *facts.best;
    const ResultRow& rival = other.row;
    const double noise = std::hypot(rival.spread_ms.value_or(0), fixed_csr.spread_ms.value_or(0));
    const QString against =
        rival.reference_ms ? Headline::tr(" against %1").arg(baseline_text(rival, fixed_csr)) : QString();
    const QString verdict =
        Headline::tr("Nothing %1 on %2 clearly beats fixed CSR (%3).")
            .arg(taken, facts.matrix.toHtmlEscaped(), duration_text(fixed_csr.median_ms.value_or(0)));
    if (facts.is_short)
        return verdict;
    const QString time = duration_text(rival.median_ms.value_or(0));
    const QString range = explaining_range(other);
    if (!range.isEmpty())
        return verdict + u' ' +
               Headline::tr(
                   "The fastest other schedule, %1, takes %2%3 (%4). Fixed CSR itself took %5 in this "
                   "collection.")
                   .arg(bold(other.nickname), time, against, coloured_speedup(other), range);
    return verdict + u' ' +
           Headline::tr("The fastest other schedule, %1, takes %2%3 (%4), within their spread (± %5).")
               .arg(bold(other.nickname), time, against, coloured_speedup(other), duration_text(noise));
}

/// The verdict of the turns, and then the one of the collected times, which is named as such.
QString comparison_in_turns(const ResultSummary& facts) {
    const TurnsResult& turns = *facts.in_turns;
    const QString matrix = facts.matrix.toHtmlEscaped();
    const bool wins = turns.fastest.verdict() == Verdict::Faster;
    const QString verdict =
        turns.is_fixed_csr
            ? Headline::tr("Measured in turns, no schedule on %1 beats fixed CSR.").arg(matrix)
            : (wins ? Headline::tr("Measured in turns, %1 is the fastest schedule on %2: %3 as "
                                   "fast as fixed CSR.")
                    : Headline::tr("Measured in turns, there is no clear winner on %2. %1 comes first: %3 as "
                                   "fast as fixed CSR."))
                  .arg(bold(turns.nickname), matrix, coloured_speedup(turns.fastest));
    if (facts.is_short)
        return verdict;
    const RankedResult& best = *facts.best;
    const QString collected =
        best.row.is_fixed_csr ? Headline::tr("The collected times put fixed CSR first (%1).")
                                    .arg(duration_text(best.row.median_ms.value_or(0)))
        : best.nickname == turns.nickname
            ? Headline::tr("The collected figure is %1: %2.")
                  .arg(coloured_speedup(best), times_text(best, facts.fixed_csr->row))
            : (best.is_in_noise ? Headline::tr("The collected times put %1 at %2, which may be noise: %3.")
                                : Headline::tr("The collected times put %1 first, with %2: %3."))
                  .arg(bold(best.nickname), coloured_speedup(best), times_text(best, facts.fixed_csr->row));
    return verdict + u' ' + collected;
}

} // namespace

const RankedResult* clear_winner(std::span<const RankedResult> results) {
    const auto found = std::ranges::find_if(results, [](const RankedResult& result) {
        return result.rank > 0 && !result.row.is_fixed_csr && !result.is_in_noise &&
               result.row.speedup_over_fixed_csr.value_or(0) > 1;
    });
    return found == results.end() ? nullptr : &*found;
}

const RankedResult* fastest_rival(std::span<const RankedResult> results) {
    const auto found = std::ranges::find_if(
        results, [](const RankedResult& result) { return result.rank > 0 && !result.row.is_fixed_csr; });
    return found == results.end() ? nullptr : &*found;
}

std::size_t rivals(std::span<const RankedResult> results) {
    return static_cast<std::size_t>(std::ranges::count_if(results, [](const RankedResult& result) {
        return result.row.median_ms.has_value() && !result.row.is_fixed_csr;
    }));
}

QString result_summary_text(const ResultSummary& facts) {
    if (facts.best == nullptr)
        return {};
    const ResultRow& best = facts.best->row;
    const QString matrix = facts.matrix.toHtmlEscaped();
    const QString time = duration_text(best.median_ms.value_or(0));
    const QString taken = facts.best->is_simulated() ? Headline::tr("simulated")
                          : facts.best->is_recorded  ? Headline::tr("recorded")
                                                     : Headline::tr("measured");
    if (facts.fixed_csr == nullptr || !best.speedup_over_fixed_csr)
        return Headline::tr("The best schedule on %1 takes %2; fixed CSR is not %3.")
            .arg(matrix, time, taken);
    if (best.is_fixed_csr && facts.rivals == 0)
        return Headline::tr("Fixed CSR takes %2 on %1; nothing else was %3 yet.").arg(matrix, time, taken);
    if (facts.in_turns != nullptr)
        return comparison_in_turns(facts) + doubts(facts, false);
    const bool is_rival_in_noise = facts.rival != nullptr && facts.rival->is_in_noise;
    if (best.is_fixed_csr && !is_rival_in_noise)
        return Headline::tr("Nothing %3 on %1 beats fixed CSR (%2).").arg(matrix, time, taken) +
               doubts(facts, false);
    if (!best.is_fixed_csr && !facts.best->is_in_noise)
        return comparison(facts) + doubts(facts, false);
    return (facts.winner != nullptr ? comparison_of_winner(facts) : no_clear_winner(facts, taken)) +
           doubts(facts, true);
}

namespace {

struct Baselines {
    Q_DECLARE_TR_FUNCTIONS(sparsight::BaselineNote)
};

std::string name_of(const ResultFilter& question) {
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}", question.matrix, question.machine,
                       question.op ? name(*question.op) : "", question.dense.value_or(0), question.protocol,
                       question.threads.value_or(0));
}

} // namespace

QString BaselineNote::text_for(const ResultFilter& question, const std::vector<RankedResult>& results) {
    const RankedResult* const fixed_csr = last_fixed_csr(results);
    if (fixed_csr == nullptr || !fixed_csr->row.median_ms)
        return {};
    const double now = *fixed_csr->row.median_ms;
    const auto [entry, is_new] =
        known_.try_emplace(name_of(question), Baseline{fixed_csr->row.measured, now, std::nullopt});
    Baseline& baseline = entry->second;
    if (!is_new && baseline.measured != fixed_csr->row.measured)
        baseline = {fixed_csr->row.measured, now, baseline.milliseconds};
    const auto older = std::ranges::count_if(results, &RankedResult::is_before_baseline);
    if (older == 0)
        return {};
    const QString which = schedules_text(older);
    return (baseline.before
                ? Baselines::tr("Fixed CSR was measured anew: %1 before, %2 now, which changes all "
                                "speedups.")
                      .arg(duration_text(*baseline.before), duration_text(now))
                : Baselines::tr("Fixed CSR was measured anew since.")) +
           QLatin1Char(' ') +
           Baselines::tr("Older than that: %1, whose speedup compares two sessions.").arg(which);
}

} // namespace sparsight
