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

/// For a best schedule other than fixed CSR, where fixed CSR is measured.
QString comparison(const ResultSummary& facts) {
    const RankedResult& best = *facts.best;
    const QColor colour = best.is_in_noise ? current_theme().dim_text : current_theme().win;
    return Headline::tr(
               "The best of %2 schedules on %1, <b>%3</b>, is %4 as fast as fixed CSR: %5 instead of %6")
        .arg(facts.matrix.toHtmlEscaped(), count_text(static_cast<qint64>(facts.rivals)),
             QString::fromStdString(best.nickname).toHtmlEscaped(), coloured(speedup_text(best), colour),
             duration_text(best.row.median_ms.value_or(0)), baseline_text(best.row, facts.fixed_csr->row));
}

/// Behind a verdict that noise may have decided: that times spread, and the link to measure again.
QString doubts(const ResultSummary& facts, bool is_in_noise) {
    const ResultRow& fixed_csr = facts.fixed_csr->row;
    const ResultRow& best = facts.best->row;
    QString noise = noise_sentence(Headline::tr("fixed CSR"), fixed_csr.median_ms, fixed_csr.spread_ms);
    if (noise.isEmpty())
        noise = noise_sentence(Headline::tr("the best"), best.median_ms, best.spread_ms);
    QString text = noise.isEmpty() ? QString() : u' ' + noise;
    if (facts.can_measure_again && (is_in_noise || !noise.isEmpty()))
        text += Headline::tr(" <a href='again'>Measure both again</a> when the computer is idle.");
    return text;
}

} // namespace

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
    const auto noise_with_fixed_csr = [&](const ResultRow& row) {
        return duration_text(
            std::hypot(row.spread_ms.value_or(0), facts.fixed_csr->row.spread_ms.value_or(0)));
    };
    if (best.is_fixed_csr && facts.rival != nullptr && facts.rival->is_in_noise)
        return Headline::tr("Nothing %4 on %1 clearly beats fixed CSR (%2): the best other schedule "
                            "takes %3%5, within their spread (± %6).")
                   .arg(matrix, time, duration_text(facts.rival->row.median_ms.value_or(0)), taken,
                        facts.rival->row.reference_ms
                            ? Headline::tr(" against %1")
                                  .arg(baseline_text(facts.rival->row, facts.fixed_csr->row))
                            : QString(),
                        noise_with_fixed_csr(facts.rival->row)) +
               doubts(facts, true);
    if (best.is_fixed_csr)
        return Headline::tr("Nothing %3 on %1 beats fixed CSR (%2).").arg(matrix, time, taken) +
               doubts(facts, false);
    if (!facts.best->is_in_noise)
        return comparison(facts) + QLatin1Char('.') + doubts(facts, false);
    return comparison(facts) +
           Headline::tr(", which is within the spread of the two (± %1).").arg(noise_with_fixed_csr(best)) +
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
