#include "gui/schedules/baseline_note.h"

#include "gui/jobs/counted_text.h"
#include "widgets/look/number_text.h"

#include <QCoreApplication>
#include <algorithm>
#include <fmt/format.h>

namespace sparsight {

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
    const auto fixed_csr =
        std::ranges::find_if(results, [](const RankedResult& result) { return result.row.is_fixed_csr; });
    if (fixed_csr == results.end() || !fixed_csr->row.median_ms)
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
