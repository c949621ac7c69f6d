#include "gui/workspace/configuration_times.h"

#include "evaluation/rematch_times.h"
#include "evaluation/time_differences.h"
#include "store/workspace.h"
#include "widgets/look/number_text.h"
#include "widgets/look/theme.h"
#include "workflow/evaluation/stored_results.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

namespace sparsight {

namespace {

struct Titles {
    Q_DECLARE_TR_FUNCTIONS(sparsight::TimeSet)
};

void add_decisions(const Domain& domain, TimeSet& set) {
    const auto codec = domain.codec(set.setting);
    if (!codec)
        return;
    for (ConfigurationTime& time : set.times)
        if (const auto parsed = (*codec)->parse(time.result.configuration))
            time.values = values_of(**codec, parsed->configuration, set.decisions);
}

void rank(TimeSet& set) {
    std::vector<RankedTime> ranked;
    for (const ConfigurationTime& time : set.times)
        ranked.push_back(ranked_time(time.result));
    const bool by_speedup = are_ranked_by_speedup(ranked);
    int place = 0;
    for (ConfigurationTime& time : set.times) {
        if (time.result.status != MeasurementStatus::Measured)
            break;
        time.rank = ++place;
        const ResultRecord& best = set.times.front().result;
        if (by_speedup && best.speedup && time.result.speedup)
            time.ratio = *best.speedup / *time.result.speedup;
        else if (best.median_ms.value_or(0) > 0)
            time.ratio = time.result.median_ms.value_or(0) / *best.median_ms;
    }
}

} // namespace

QString speedup_text(const FastestInTurns& fastest) {
    const bool is_in_noise = fastest.verdict() == Verdict::WithinNoise;
    return (is_in_noise ? QStringLiteral("~") : QString()) +
           (fastest.is_uncertain() ? speedup_with_margin(fastest.speedup, *fastest.margin)
                                   : speedup_text(fastest.speedup));
}

QString coloured_speedup(const FastestInTurns& fastest) {
    const Theme& theme = current_theme();
    const QColor colour = fastest.verdict() == Verdict::Faster ? theme.win : theme.dim_text;
    return QStringLiteral("<span style='color:%1'>%2</span>").arg(colour.name(), speedup_text(fastest));
}

QString conditions_text(const Domain& domain, const ResultRecord& result, bool has_threads) {
    QStringList parts;
    if (!result.setting.text.empty())
        parts << QString::fromStdString(domain.describe(result.setting));
    if (!result.condition.empty())
        parts << QString::fromStdString(result.condition);
    if (has_threads)
        parts << (result.threads == 1 ? Titles::tr("1 thread")
                                      : Titles::tr("%1 threads").arg(result.threads));
    parts << QString::fromStdString(result.protocol);
    return parts.join(QStringLiteral(" · "));
}

std::vector<ResultRecord> results_of(const TimeSet& set) {
    std::vector<ResultRecord> results;
    for (const ConfigurationTime& time : set.times)
        results.push_back(time.result);
    return results;
}

QString noise_sentence(const QString& whose, const std::optional<double>& median_ms,
                       const std::optional<double>& spread_ms, bool is_of_this_computer) {
    if (!median_ms || !spread_ms || *spread_ms <= noisy_above * *median_ms)
        return {};
    return (is_of_this_computer
                ? Titles::tr("The times of %1 spread by %2 %: the computer may be busy.")
                : Titles::tr("The times of %1 spread by %2 %: the computer may have been busy when they were "
                             "recorded."))
        .arg(whose, fixed_text(100 * *spread_ms / *median_ms, 0));
}

std::vector<TimeSet> time_sets(const Domain& domain, std::vector<ResultRecord> results) {
    const bool has_threads = std::ranges::any_of(
        results, [&](const ResultRecord& result) { return result.threads != results.front().threads; });
    std::vector<TimeSet> sets;
    for (std::vector<ResultRecord>& part : comparable_results(std::move(results))) {
        const ResultRecord& first = part.front();
        TimeSet set;
        set.title = conditions_text(domain, first, has_threads);
        set.setting = first.setting;
        set.key = QString::fromStdString(first.setting.text + '|' + first.protocol + '|' + first.condition +
                                         '|' + std::to_string(first.threads));
        for (ResultRecord& result : part)
            set.times.push_back({.result = std::move(result), .ratio = {}, .values = {}});
        rank(set);
        add_decisions(domain, set);
        sets.push_back(std::move(set));
    }
    return sets;
}

Result<TimeSets> read_time_sets(const std::string& workspace, const Domain& domain,
                                const std::string& workload, const std::string& machine) {
    auto file = Workspace::open(workspace,
                                {.access = WorkspaceAccess::Read, .busy_timeout = std::chrono::seconds(2)});
    if (!file)
        return std::unexpected(file.error());
    auto results =
        list_results(*file, {.domain = std::string(domain.name()), .workload = workload, .machine = machine});
    if (!results)
        return std::unexpected(results.error());
    auto machines = machines_with_times(*file, domain.name(), workload);
    if (!machines)
        return std::unexpected(std::move(machines).error());
    return TimeSets{time_sets(domain, std::move(*results)), *std::move(machines)};
}

} // namespace sparsight
